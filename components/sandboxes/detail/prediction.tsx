'use client';

import { useMemo } from 'react';
import { Note, Tag } from '@/components/ui';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import { predict } from '@/lib/domain/diagnosis/predict';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { EvidenceList } from '../../stuck/explainer/evidence-list';
import { useFindingSentence } from '../../stuck/explainer/finding-words';
import { ActionButton, Remedies } from '../actions';

/** What a pause, or the resume of one that is paused, would do to it, before anybody tries. */
export function Prediction({ row, reply }: { row: SandboxRow; reply: ObjectReply }) {
  const t = useTranslations('sandboxes.detail.prediction');
  const warning = useTranslations('sandboxes.actions.warning');
  const confidence = useTranslations('diagnosis.confidence');
  const sentence = useFindingSentence();
  const rows = useRows('sandboxes');
  const finding = useMemo(() => {
    const siblings = row.pool === undefined ? [row] : rows.filter(({ ns, pool }) => ns === row.ns && pool === row.pool);
    const found = predict(reply.object, reply.pod, reply.time, siblings, reply.template);
    return found.find(({ code }) => code === 'WouldStrand' || code === 'MayStrand');
  }, [reply, row, rows]);
  if (!finding) return null;
  const would = finding.code === 'WouldStrand';
  const asleep = row.state === 'Paused' || row.state === 'Pausing';
  return (
    <div className="px-[var(--gutter)] py-2">
      <Note
        tone={would ? 'attention' : 'unknown'}
        title={t(asleep ? (would ? 'wouldResume' : 'mayResume') : would ? 'wouldPause' : 'mayPause')}
      >
        <p>
          {sentence(finding)} <Tag>{confidence(finding.confidence)}</Tag>
        </p>
        <p>{warning(asleep ? (would ? 'resumeStrands' : 'may') : would ? 'strands' : 'may')}</p>
        <Remedies rows={[row]} />
        <EvidenceList evidence={finding.evidence} />
        {asleep && row.imageFrom === undefined ? (
          <p>
            <ActionButton action="changeImages" row={row} object={reply.object} size="sm" />
          </p>
        ) : null}
      </Note>
    </div>
  );
}

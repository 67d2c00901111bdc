'use client';

import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { stringify } from 'yaml';
import type { Receipt } from '@/lib/contracts/writes';
import { quote } from '@/lib/domain/kubectl';
import { kubectlMark, manifestOf, manifestYaml } from '@/lib/domain/upgrades/manifest';
import { useTranslations } from '@/lib/i18n/use-translations';
import { downloadText } from '../../sandboxes/download';
import { Button, CodeBlock, Command, CopyButton } from '../../ui';
import type { Planning } from './planning';

/** The object itself, to read, to keep, and to apply from a terminal. */
export function Manifest({ planning, answer }: { planning: Planning; answer: Receipt | undefined }) {
  const t = useTranslations('upgrade-plan.manifest');
  const { draft, patch, form } = planning;
  const own = useMemo(() => draft && manifestYaml(manifestOf(draft, patch)), [draft, patch]);
  if (!draft || own === undefined) return <p className="dim">{t('incomplete')}</p>;
  // The patch that restores is made by the server: here its hidden values are masked, so that it is for reading only.
  const restores = form.changeBy === 'restore';
  const text = restores ? answer && stringify(answer.after, { lineWidth: 0 }) : own;
  if (text === undefined) return <p className="dim">{t('restore')}</p>;
  return (
    <>
      <div className="fld">
        <div className="row">
          <span className="sm mut grow">{t('label')}</span>
          <CopyButton text={text} label={t('copy')}>
            {t('copy')}
          </CopyButton>
          <Button icon={Download} onClick={() => downloadText(`${draft.name}.yaml`, 'application/yaml', text)}>
            {t('download')}
          </Button>
        </div>
        <CodeBlock text={text.trimEnd()} label={t('label')} />
      </div>
      {restores ? (
        <p className="fhint">{t('masked')}</p>
      ) : (
        <Command label={t('apply')} text={`${kubectlMark(draft)}kubectl apply -f ${quote(`${draft.name}.yaml`)}`} />
      )}
    </>
  );
}

'use client';

import { useMemo } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { isObject } from '@/lib/domain/json-diff';
import type { PoolStats } from '@/lib/domain/pools';
import { redactObject } from '@/lib/domain/redact';
import { templateDiff } from '@/lib/domain/templates';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { objectHref } from '../../shell';
import { Button, Checkbox, CodeBlock, Command, Note } from '../../ui';
import { DryRunLine } from '../../writes/dry-run-line';
import { ProblemNote } from '../../writes/problem-note';
import { SideBySideView } from '../../writes/side-by-side-view';
import { WriteReceipt } from '../../writes/write-receipt';
import { MovedNote } from './moved-note';
import { TemplateNotes } from './template-notes';
import { templateText } from './template-yaml';
import type { useTemplate } from './use-template';

type Form = ReturnType<typeof useTemplate>;

/** What the change is, does, and what the server says to it. */
export function TemplateReview(props: { pool: PoolRow; stats: PoolStats; form: Form }) {
  const { pool, stats, form } = props;
  const t = useTranslations('writes.template');
  const receipts = useTranslations('writes.receipt');
  const problems = useTranslations('writes.problem');
  const f = useFormats();
  const { base, after, wanted, changes, moved, overlaps, receipt, dryRun } = form;
  const broken = form.problems.length > 0;
  const texts = useMemo(
    () => (base && wanted ? { before: templateText(base), after: templateText(wanted) } : undefined),
    [base, wanted],
  );
  const answer = dryRun?.data;
  const added = useMemo(
    () =>
      wanted && answer && isObject(answer.after)
        ? templateDiff(redactObject(wanted), answer.after).map((difference) => difference.path)
        : [],
    [wanted, answer],
  );
  return (
    <div>
      {receipt ? (
        <WriteReceipt
          key={receipt.id}
          receipt={receipt}
          observation={form.observation}
          title={receipts(receipt.changed ? 'template' : 'templateUnchanged', { name: pool.name })}
          observed={receipts('observedTemplate', { generation: f.number(receipt.generation ?? 0), id: receipt.id })}
          shown={`generation ${pool.gen ?? '–'}`}
          link={{ href: objectHref('pools', pool.ns, pool.name), text: receipts('pool') }}
        />
      ) : null}
      {form.applied ? (
        <Note tone="unknown" title={problems('applied')} live>
          {problems('appliedTemplate')}
        </Note>
      ) : null}
      {form.error ? (
        <ProblemNote about="pool" error={form.error} />
      ) : dryRun?.error ? (
        <ProblemNote about="pool" asked="dryRun" error={dryRun.error} onAsk={() => void dryRun.refetch()} />
      ) : null}
      {form.restored ? (
        <Note tone="attention" title={t('restored')}>
          <Button size="sm" onClick={form.discard}>
            {t('discard')}
          </Button>
        </Note>
      ) : null}
      {moved.length > 0 ? <MovedNote moved={moved} onTake={form.takeOver} /> : null}
      {overlaps.length > 0 ? <Note tone="attention" title={t('overlap', { fields: f.list(overlaps) })} live /> : null}
      {after && !broken ? <TemplateNotes pool={pool} stats={stats} after={after} /> : null}
      {form.warnings.length > 0 && !broken ? <ImageNote form={form} /> : null}
      <div className="fld">
        <span className="lab">
          {t('changes')}{' '}
          <span className="dim">{changes.length > 0 ? t('changeCount', { count: changes.length }) : null}</span>
        </span>
        {texts && texts.before !== texts.after ? (
          <SideBySideView {...texts} label={t('changes')} />
        ) : (
          <p className="sm dim">{broken ? t('notParsed') : t('noChange')}</p>
        )}
      </div>
      {dryRun ? <DryRunLine answer={answer} asking={form.asking} /> : null}
      {added.length > 0 ? <p className="sm mut">{t('serverDiffers', { fields: f.list(added) })}</p> : null}
      {answer ? (
        <>
          {answer.patch ? (
            <div className="fld">
              <span className="lab">{t('patch')}</span>
              <CodeBlock label={t('patch')} text={answer.patch.map((op) => JSON.stringify(op)).join('\n')} />
            </div>
          ) : null}
          <SameAs text={answer.kubectl} />
        </>
      ) : null}
    </div>
  );
}

/** The API server takes such an image, so that only the person can stop it. */
function ImageNote({ form }: { form: Form }) {
  const t = useTranslations('writes.template');
  return (
    <Note tone="attention" title={t('imageTitle')}>
      <p>{t('imageBody')}</p>
      <p className="row">
        <Checkbox checked={form.confirmed} onChange={form.insist} label={t('imageConfirm')} />
        <span aria-hidden="true">{t('imageConfirm')}</span>
      </p>
    </Note>
  );
}

function SameAs({ text }: { text: string }) {
  const t = useTranslations('writes.scale');
  return <Command label={t('sameAs')} text={text} />;
}

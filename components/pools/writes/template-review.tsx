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
import { Button, CodeBlock, Command, Note } from '../../ui';
import { DryRunLine } from './dry-run-line';
import { ProblemNote } from './problem-note';
import { SideBySideView } from './side-by-side-view';
import { TemplateNotes } from './template-notes';
import { templateText } from './template-yaml';
import type { useTemplate } from './use-template';
import { WriteReceipt } from './write-receipt';

/** What the change is, does, and what the server says to it. */
export function TemplateReview(props: { pool: PoolRow; stats: PoolStats; form: ReturnType<typeof useTemplate> }) {
  const { pool, stats, form } = props;
  const t = useTranslations('writes.template');
  const receipts = useTranslations('writes.receipt');
  const f = useFormats();
  const { base, after, changes, moved, overlaps, receipt, dryRun } = form;
  const texts = useMemo(
    () => (base && after ? { before: templateText(base), after: templateText(after) } : undefined),
    [base, after],
  );
  const answer = dryRun?.data;
  const added = useMemo(
    () =>
      after && answer && isObject(answer.after)
        ? templateDiff(redactObject(after), answer.after).map((difference) => difference.path)
        : [],
    [after, answer],
  );
  const error = form.send.error ?? dryRun?.error ?? null;
  return (
    <div>
      {receipt ? (
        <WriteReceipt
          receipt={receipt}
          observation={form.observation}
          title={receipts(receipt.changed ? 'template' : 'templateUnchanged', { name: pool.name })}
          observed={receipts('observedTemplate', { generation: f.number(receipt.generation ?? 0), id: receipt.id })}
          shown={`generation ${pool.gen ?? '–'}`}
          href={objectHref('pools', pool.ns, pool.name)}
        />
      ) : null}
      {error ? <ProblemNote error={error} /> : null}
      {form.restored ? (
        <Note tone="attention" title={t('restored')}>
          <Button size="sm" onClick={form.discard}>
            {t('discard')}
          </Button>
        </Note>
      ) : null}
      {moved.length > 0 ? (
        <Note tone="attention" title={t('movedTitle')} live>
          <p>{t('movedBody', { fields: f.list(moved.map((difference) => difference.path)) })}</p>
          <p>
            <Button size="sm" onClick={form.takeOver}>
              {t('take')}
            </Button>
          </p>
        </Note>
      ) : null}
      {overlaps.length > 0 ? <Note tone="attention" title={t('overlap', { fields: f.list(overlaps) })} live /> : null}
      {after ? <TemplateNotes pool={pool} stats={stats} after={after} /> : null}
      <div className="fld">
        <span className="lab">
          {t('changes')}{' '}
          <span className="dim">{changes.length > 0 ? t('changeCount', { count: changes.length }) : null}</span>
        </span>
        {texts && texts.before !== texts.after ? (
          <SideBySideView {...texts} label={t('changes')} />
        ) : (
          <p className="sm dim">{t('noChange')}</p>
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

function SameAs({ text }: { text: string }) {
  const t = useTranslations('writes.scale');
  return <Command label={t('sameAs')} text={text} />;
}

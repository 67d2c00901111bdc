'use client';

import { lazy, Suspense, useState } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import type { PoolStats } from '@/lib/domain/pools';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { SafeText } from '../common';
import { Button, Drawer, type Guard, GuardedButton, Note, Segmented, Skeleton } from '../ui';
import { isRefusal } from '../writes/api';
import { GoneNote } from '../writes/gone-note';
import { ProblemNote } from '../writes/problem-note';
import { useWriteGuard } from '../writes/use-write-guard';
import type { FormProps } from './writes/form-props';
import { TemplateForm } from './writes/template-form';
import { TemplateReview } from './writes/template-review';
import { usePoolStats } from './writes/use-pool-stats';
import { useTemplate } from './writes/use-template';
import '../writes/writes.css';

const YamlEditor = lazy(async () => ({ default: (await import('../writes/yaml-editor')).YamlEditor }));

/** Changes the template of a pool, as fields or as YAML. `pool` is the live row: it may change while the form is open. */
export function TemplateDrawer({
  pool,
  goneAt,
  onClose,
  returnFocus,
  retag = false,
}: FormProps & {
  /** Begins with tags in the place of init images that are pinned by digest. */
  retag?: boolean;
}) {
  const t = useTranslations('writes');
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const guard = useWriteGuard('patchPoolTemplate', pool.ns, goneAt);
  const form = useTemplate(pool, guard.state === 'allowed', retag);
  const stats = usePoolStats(pool, goneAt);
  const waiting = form.receipt !== undefined && form.observation.state === 'accepted';
  const wrong = form.problems.length + form.fieldProblems.length;

  const submitGuard = (): Guard => {
    if (guard.state !== 'allowed') return guard;
    if (form.moved.length > 0) return { state: 'wrong', reason: t('template.takeFirst') };
    if (wrong > 0) return { state: 'wrong', reason: t('template.fixFirst', { count: wrong }) };
    if (!form.ready) return { state: 'wrong', reason: t('template.noChange') };
    if (!form.confirmed) return { state: 'wrong', reason: t('template.confirmFirst') };
    if (isRefusal(form.dryRun?.error)) return { state: 'wrong', reason: t('problem.dryFirst') };
    return guard;
  };
  return (
    <Drawer
      open
      onOpenChange={onClose}
      returnFocus={returnFocus}
      title={t('template.title', { name: pool.name })}
      subtitle={t('scale.subtitle', { namespace: pool.ns, cluster })}
      footer={
        form.live ? (
          <>
            <GuardedButton
              guard={submitGuard()}
              variant="primary"
              busy={form.send.isPending || waiting}
              onClick={() => form.send.mutate()}
            >
              {t('template.submit')}
            </GuardedButton>
            <Button variant="quiet" onClick={onClose}>
              {form.receipt ? t('receipt.close') : t('cancel')}
            </Button>
            <span className="end sm dim">{t('template.untouched')}</span>
          </>
        ) : null
      }
    >
      <GoneNote at={goneAt} text={t('gone.text')} />
      <TemplateBody pool={pool} form={form} stats={stats} />
    </Drawer>
  );
}

type Form = ReturnType<typeof useTemplate>;

function TemplateBody({ pool, form, stats }: { pool: PoolRow; form: Form; stats: PoolStats }) {
  const t = useTranslations('writes.template');
  const [view, setView] = useState<'form' | 'yaml'>('form');
  if (!form.live || !form.after) {
    if (form.object.error) return <ProblemNote about="pool" asked="reading" error={form.object.error} />;
    if (form.object.isPending) return <Skeleton width={240} />;
    return pool.templateRef ? (
      <Note tone="unknown" title={t('reference', { name: pool.templateRef })}>
        <p>{t('referenceBody')}</p>
      </Note>
    ) : (
      <Note tone="attention" title={t('none')}>
        <p>{t('noneBody')}</p>
      </Note>
    );
  }
  const broken = form.problems.length > 0;
  return (
    <div className="write-panes">
      <div>
        <Segmented
          label={t('view')}
          value={view}
          options={[
            { value: 'form', label: t('form') },
            { value: 'yaml', label: t('yaml') },
          ]}
          // Fields cannot show what does not parse, and must not hide it.
          onChange={(next) => setView(broken ? 'yaml' : next)}
        />
        {view === 'form' && !broken ? (
          <TemplateForm
            template={form.after}
            problems={[...form.fieldProblems, ...form.warnings]}
            onChange={form.edit}
          />
        ) : (
          <Suspense fallback={<Skeleton width={240} />}>
            <YamlEditor label={t('yamlLabel')} value={form.text} onChange={form.editText} />
          </Suspense>
        )}
        <YamlProblems form={form} fields={view === 'yaml'} />
      </div>
      <TemplateReview pool={pool} stats={stats} form={form} />
    </div>
  );
}

/** What is wrong with the text, by line; in the YAML view also what the form would show at its fields. */
function YamlProblems({ form, fields }: { form: Form; fields: boolean }) {
  const t = useTranslations('writes.template');
  const field = useTranslations('writes.template.field');
  const problem = useTranslations('writes.template.yamlProblem');
  const found = fields && form.problems.length === 0 ? [...form.fieldProblems, ...form.warnings] : [];
  // One slip can be told twice of the same line.
  const lines = new Set([
    ...form.problems.map((p) => (p.line === undefined ? '' : t('line', { line: p.line })) + problem(p.code, p.values)),
    ...found.map((p) => `${p.field}: ${field(p.code)}`),
  ]);
  if (lines.size === 0) return null;
  return (
    <div role="alert">
      {[...lines].map((line) => (
        <p key={line} className="ferr">
          <SafeText text={line} />
        </p>
      ))}
    </div>
  );
}

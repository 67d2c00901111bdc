'use client';

import { useMemo } from 'react';
import { stringify } from 'yaml';
import type { KubeObject, ObjectReply } from '@/lib/contracts/objects';
import { rolloutBudget } from '@/lib/domain/budget';
import { lineDiff } from '@/lib/domain/line-diff';
import type { PoolView } from '@/lib/domain/pool-views';
import { visibleText } from '@/lib/domain/text';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { KeyValues, SectionHead, UnitBar, useObjectIfAny } from '../common';
import { DiffView, Note } from '../ui';

/** How far the idle members are on the way to the current revision, counted from their labels. */
export function RolloutTab({ view: { pool, stats }, reply }: { view: PoolView; reply: ObjectReply | undefined }) {
  const t = useTranslations('pools.rollout');
  const f = useFormats();
  const total = stats.updatedCount + stats.old;
  const batch = rolloutBudget(pool.updateMax, pool.desired);
  return (
    <div className="grid gap-4 px-[var(--gutter)] py-4">
      <p className={stats.complete ? 'mut' : 'b'}>
        {stats.lag
          ? t('unseen', { seen: pool.obs ?? '–', written: pool.gen ?? '–' })
          : stats.complete
            ? t('complete', { revision: pool.revision ?? '–' })
            : stats.old > 0
              ? t('running', { updated: stats.updatedCount, total, available: stats.updatedAvailable })
              : t('filling', { available: stats.updatedAvailable, desired: pool.desired })}
      </p>
      {total > 0 ? (
        <div>
          <UnitBar
            updated={stats.updatedAvailable}
            updating={stats.updatedCount - stats.updatedAvailable}
            failed={0}
            total={total}
            legend
          />
        </div>
      ) : null}
      {stats.old > 0 && batch === 0 ? (
        <Note tone="attention" title={t('blocked')}>
          {t('blockedText', { value: String(pool.updateMax) })}
        </Note>
      ) : null}
      <div className="[&_.kv]:p-0">
        <KeyValues
          items={[
            { label: t('revision'), value: pool.revision, mono: true },
            { label: t('template'), value: pool.template, mono: true },
            {
              label: t('budget'),
              value: t('budgetValue', { value: String(pool.updateMax ?? '20%'), count: batch, desired: pool.desired }),
            },
            {
              label: t('status'),
              value: t('statusValue', {
                updated: pool.updated === undefined ? '–' : f.number(pool.updated),
                available: pool.updatedAvailable === undefined ? '–' : f.number(pool.updatedAvailable),
              }),
            },
          ]}
        />
      </div>
      <p className="sm dim">{t('statusHint')}</p>
      <OldRevision view={{ pool, stats }} current={reply?.object} />
    </div>
  );
}

/** What the members of the old revision are made from, against the pool's template. */
function OldRevision({
  view: { pool },
  current,
}: {
  view: Pick<PoolView, 'pool' | 'stats'>;
  current: KubeObject | undefined;
}) {
  const t = useTranslations('pools.rollout');
  const sandboxes = useRows('sandboxes');
  const old = useMemo(() => {
    const counts = new Map<string, number>();
    for (const row of sandboxes) {
      if (row.ns !== pool.ns || row.pool !== pool.name || !row.idle || row.state === 'Terminating') continue;
      if (row.hash !== undefined && row.hash !== pool.revision) counts.set(row.hash, (counts.get(row.hash) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  }, [sandboxes, pool.ns, pool.name, pool.revision]);
  if (old === undefined || pool.templateRef !== undefined || !current) return null;
  return (
    <TemplateChange
      pool={pool}
      old={old}
      current={current}
      title={t('change', { from: old, to: pool.revision ?? '–' })}
    />
  );
}

function TemplateChange({
  pool,
  old,
  current,
  title,
}: {
  pool: PoolView['pool'];
  old: string;
  current: KubeObject;
  title: string;
}) {
  // The controller keeps each revision as a SandboxTemplate named after the pool and the revision.
  const query = useObjectIfAny('sandboxtemplates', { ns: pool.ns, name: `${pool.name}-${old}` });
  const before = query.data ? templateText(query.data.object) : undefined;
  const after = templateText(current);
  if (before === undefined || after === undefined) return null;
  return (
    <section>
      <SectionHead title={title} />
      <DiffView lines={lineDiff(before, after)} label={title} />
    </section>
  );
}

export function templateText(object: KubeObject): string | undefined {
  const { spec } = object;
  if (typeof spec !== 'object' || spec === null || !('template' in spec)) return undefined;
  return visibleText(stringify(spec.template, { lineWidth: 0 }).trimEnd());
}

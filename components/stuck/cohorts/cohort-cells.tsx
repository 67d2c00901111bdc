'use client';

import { SafeText, severityTone, stateLooks } from '@/components/common';
import { RowLink } from '@/components/data-table';
import { Icon, Tag } from '@/components/ui';
import type { Cohort, Split } from '@/lib/domain/cohorts';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { ImageText } from '../../sandboxes/image-text';

/** Severity sits on the icon and the oldest; the words of the cause stay ink. */
export function CauseCell({ cohort, href, narrow }: { cohort: Cohort; href: string; narrow: boolean }) {
  const causes = useTranslations('domain.cause');
  const states = useTranslations('domain.state');
  const t = useTranslations('stuck');
  const { cause, state, rows, never, split, pool, ns } = cohort;
  const { icon, tone } = stateLooks[state];
  const phase = state === 'Other' ? (rows[0]?.phase ?? '') : states(state);
  const sub = narrow
    ? [pool === undefined ? ns : `${ns}/${pool}`, nodeOf(cohort)?.value].filter(Boolean).join(' · ')
    : [phase, cause].filter(Boolean).join(' · ');
  return (
    <span className="flex items-start gap-[9px]">
      <Icon icon={icon} tone={severityTone(cohort.severity) ?? tone} className="mt-[2px]" />
      <span className="min-w-0">
        <span className="row gap-2">
          <RowLink href={href} name={cause ? causes(cause) : t('noCause')} />
          {never === 0 || narrow ? null : (
            <Tag tone="breach">{never === rows.length ? t('never') : t('someNever', { count: never })}</Tag>
          )}
        </span>
        <span className="sub">{split.image ? <ImageText image={split.image} /> : <SafeText text={sub} />}</span>
      </span>
    </span>
  );
}

export function PoolCell({ cohort }: { cohort: Cohort }) {
  const t = useTranslations('stuck.shares');
  const revision = sharedBy(cohort, 'revision');
  return (
    <>
      {cohort.pool === undefined ? <span className="dim">–</span> : <SafeText text={cohort.pool} />}
      {/* Pools of two namespaces may have one name. */}
      <span className="sub mono">
        <SafeText text={cohort.ns} />
        {revision ? (
          <>
            {' · '}
            <SafeText text={revision.value} />
            {revision.count < cohort.rows.length
              ? ` ${t('of', { count: revision.count, total: cohort.rows.length })}`
              : null}
          </>
        ) : cohort.rows.some(({ hash }) => hash !== undefined) ? (
          ` · ${t('revisions')}`
        ) : null}
      </span>
    </>
  );
}

/** Where most of them are: the node, and of how many when not of all. */
export function NodeCell({ cohort }: { cohort: Cohort }) {
  const t = useTranslations('stuck.shares');
  const node = nodeOf(cohort);
  if (!node) {
    const some = cohort.rows.some((row) => row.node !== undefined);
    return <span className="dim">{some ? t('nodes') : '–'}</span>;
  }
  const all = node.count === cohort.rows.length;
  return (
    <>
      <SafeText text={node.value} />
      {all ? null : <span className="sub">{t('of', { count: node.count, total: cohort.rows.length })}</span>}
    </>
  );
}

/** How long the one in the middle has been there. */
export function MedianCell({ cohort }: { cohort: Cohort }) {
  const f = useFormats();
  const now = useNow();
  const { medianSince, medianAtLeast: atLeast = false } = cohort;
  return (
    <span className="mut">
      {medianSince === undefined ? '–' : f.duration(Math.max(0, now - medianSince), { atLeast })}
    </span>
  );
}

export const nodeOf = (cohort: Cohort) => sharedBy(cohort, 'node');

/** The value that a cohort is split by, or the one that most of it share. */
export function sharedBy({ split, shares, rows }: Cohort, by: Split): { value: string; count: number } | undefined {
  const own = split[by];
  if (own !== undefined) return own === '' ? undefined : { value: own, count: rows.length };
  return shares.find((share) => share.by === by);
}

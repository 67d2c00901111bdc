'use client';

import type { SandboxRow } from '@/lib/contracts/rows';
import { type FilterContext, revisionOf } from '@/lib/domain/sandbox-filter';
import { useTranslations } from '@/lib/i18n/use-translations';

/** Revision of the template: a full dot is the pool's current one, a hollow one is old, none cannot be told. */
export function Revision({ row, pools, words }: { row: SandboxRow; pools: FilterContext['pools']; words?: boolean }) {
  const t = useTranslations('sandboxes.revision');
  if (row.hash === undefined) return <span className="dim">–</span>;
  // The label is of the template that it was made of: an upgrade changes the sandbox and leaves it.
  const is = row.upgraded && row.op !== undefined ? 'changed' : revisionOf(row, { pools });
  return (
    <span className="inline-flex items-center gap-[6px]" title={t(`title.${is}`, { operation: row.op ?? '' })}>
      {words ? null : (
        <svg width="8" height="8" aria-hidden="true" className="text-dim">
          {is === 'none' || is === 'changed' ? null : (
            <circle
              cx="4"
              cy="4"
              r="3"
              fill={is === 'current' ? 'currentColor' : 'none'}
              stroke="currentColor"
              strokeWidth="1.25"
            />
          )}
        </svg>
      )}
      <span className={words ? 'mono' : 'mono mut'}>{row.hash}</span>
      {words ? <span className="dim">{t(is)}</span> : <span className="vh">{t(is)}</span>}
    </span>
  );
}

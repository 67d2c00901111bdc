'use client';

import clsx from 'clsx';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import type { Tone } from '../ui/icon';

const percent = (part: number, of: number) => `${of > 0 ? Math.min(100, (part / of) * 100) : 0}%`;

/**
 * Stock of a pool: available of desired, and what is on its way in or out. Unknown counts are `–`, never 0.
 * `tone` is given when the pool is below its target.
 */
export function StockBar({
  available,
  desired,
  creating = 0,
  terminating = 0,
  tone,
}: {
  available: number | undefined;
  desired: number;
  creating?: number;
  terminating?: number;
  tone?: Tone | undefined;
}) {
  const t = useTranslations('common.stock');
  const f = useFormats();
  const whole = Math.max(desired, 1);
  return (
    <span className="stock" data-tone={tone}>
      <span className="q">
        <b>{available === undefined ? '–' : f.number(available)}</b>
        <span> / {f.number(desired)}</span>
      </span>
      <span
        className="sbar"
        role="img"
        aria-label={t('label', {
          available: available === undefined ? '–' : f.number(available),
          creating: f.number(creating),
          terminating: f.number(terminating),
          desired: f.number(desired),
        })}
      >
        <i className="av" style={{ width: percent(available ?? 0, whole) }} />
        <i className="cr" style={{ width: percent(creating, whole) }} />
        <i className="te" style={{ width: percent(terminating, whole) }} />
      </span>
    </span>
  );
}

/** What the shades of a stock bar mean. */
export function StockKeys() {
  const t = useTranslations('common.stock');
  return (
    <span className="keys">
      {(['available', 'creating', 'terminating'] as const).map((part) => (
        <span key={part} className="key">
          <i className={`k-${part}`} />
          {t(part)}
        </span>
      ))}
    </span>
  );
}

const unitParts = ['updated', 'updating', 'failed', 'waiting', 'same'] as const;
const unitClasses = { updated: 'u-ok', updating: 'u-up', failed: 'u-bad', waiting: 'u-wait', same: 'u-same' };
const blocksUpTo = 200;

/** Progress of an upgrade: one block a sandbox up to 200, then one continuous bar. */
export function UnitBar({
  updated,
  updating,
  failed,
  total,
  same = 0,
  legend,
  thin,
}: {
  updated: number;
  updating: number;
  failed: number;
  total: number;
  /** Up to date already, on top of the total. */
  same?: number;
  legend?: boolean;
  /** For a row of a table. */
  thin?: boolean;
}) {
  const t = useTranslations('common.units');
  const f = useFormats();
  const counts = { updated, updating, failed, waiting: Math.max(0, total - updated - updating - failed), same };
  const parts = unitParts.filter((part) => part !== 'same' || same > 0);
  const sentence = parts.map((part) => t.markup(part, { count: f.number(counts[part]), b: (chunk) => chunk }));
  const inBlocks = total + same <= blocksUpTo;
  const blocks = inBlocks
    ? parts.flatMap((part) =>
        Array.from({ length: counts[part] }, (_, index) => ({ key: `${part}${index}`, part, size: 1 })),
      )
    : parts.filter((part) => counts[part] > 0).map((part) => ({ key: part, part, size: counts[part] }));
  return (
    <>
      <div className={clsx('units', thin && 'thin', inBlocks && 'blocks')} role="img" aria-label={f.list(sentence)}>
        {blocks.map((block) => (
          <i key={block.key} className={unitClasses[block.part]} style={{ flexGrow: block.size }} />
        ))}
      </div>
      {legend ? (
        <div className="ulegend" aria-hidden="true">
          {parts.map((part) => (
            <span key={part}>
              <i className={counts[part] > 0 ? unitClasses[part] : 'u-none'} />
              {t.rich(part, { count: f.number(counts[part]), b: (chunk) => <b>{chunk}</b> })}
            </span>
          ))}
        </div>
      ) : null}
    </>
  );
}

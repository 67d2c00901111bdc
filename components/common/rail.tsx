'use client';

import clsx from 'clsx';
import type { SandboxRow } from '@/lib/contracts/rows';
import { type Limits, limitsOf } from '@/lib/domain/limits';
import { railPosition } from '@/lib/domain/rail';
import { dwellOf, type Severity, severityOf } from '@/lib/domain/severity';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow } from '@/lib/live';
import { severityTone } from './state-badge';

/**
 * The one way a duration with a limit is drawn: notches at warn and breach stand at the same place on every
 * rail. `torn`: the start is not known exactly; without `ms` it is not known at all.
 */
export function Rail({ ms, limits, torn }: { ms: number | undefined; limits: Limits; torn?: boolean }) {
  const at = ms === undefined ? undefined : railPosition(ms, limits);
  return (
    <span className={clsx('rail', at === 1 && 'over', torn && 'torn', at === undefined && 'lost')} aria-hidden="true">
      {at === undefined ? null : <i style={{ width: `${(at * 100).toFixed(1)}%` }} />}
      <u className={clsx(ms !== undefined && ms >= limits.warn && 'past')} />
      <u className={clsx(ms !== undefined && ms >= limits.breach && 'past')} />
    </span>
  );
}

/** A duration, its rail and its severity, when the caller knows all three. */
export function DwellMeter({
  ms,
  limits,
  severity,
  atLeast,
  title,
  wide,
}: {
  ms: number | undefined;
  limits?: Limits | undefined;
  severity: Severity;
  atLeast?: boolean;
  title?: string;
  wide?: boolean;
}) {
  const f = useFormats();
  return (
    <span className={clsx('dw', wide && 'wide')} data-tone={limits ? severityTone(severity) : undefined} title={title}>
      <b>{ms === undefined ? '–' : f.duration(ms, { atLeast: atLeast ?? false })}</b>
      {limits ? <Rail ms={ms} limits={limits} torn={atLeast ?? false} /> : <span />}
    </span>
  );
}

/** How long a sandbox has been in its state, against that state's limits, ticking. The title names the clock. */
export function Dwell({ row, wide }: { row: SandboxRow; wide?: boolean }) {
  const now = useNow();
  const f = useFormats();
  const t = useTranslations('domain');
  const inForce = useLimits();
  const dwell = dwellOf(row, now);
  const limits = limitsOf(row, inForce);
  const lines = limits ? [t('rail.limits', { warn: f.coarse(limits.warn), breach: f.coarse(limits.breach) })] : [];
  if (row.since !== undefined) lines.push(t('rail.since', { at: f.dateTime(row.since) }));
  lines.push(t(`since.${row.sinceFrom}`));
  return (
    <DwellMeter
      ms={dwell.ms}
      limits={limits}
      severity={severityOf(row, now, inForce)}
      atLeast={dwell.atLeast}
      title={lines.join('\n')}
      wide={wide ?? false}
    />
  );
}

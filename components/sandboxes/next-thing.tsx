'use client';

import type { SandboxRow } from '@/lib/contracts/rows';
import { type NextThing, nextThing } from '@/lib/domain/deadlines';
import type { LimitsInForce } from '@/lib/domain/limits';
import { severityOf } from '@/lib/domain/severity';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow } from '@/lib/live';
import { Extendable } from './actions';
import { timeLeft } from './countdown';

const soonMs = 5 * 60_000;

/** The session ends soon while the sandbox is stuck: somebody has to act now. */
export function endsSoon(next: NextThing | undefined, row: SandboxRow, now: number, limits: LimitsInForce): boolean {
  return next?.kind === 'shutdown' && next.at - now < soonMs && severityOf(row, now, limits) === 'breach';
}

/** What the cluster will do by itself: `pauses in 12m`, `shuts down in 3d 04h`, or that it is overdue; `–` is none. It can be moved from here. */
export function NextThingText({ row }: { row: SandboxRow }) {
  const now = useNow();
  const limits = useLimits();
  const f = useFormats();
  const t = useTranslations('sandboxes.next');
  const next = nextThing(row, now);
  if (!next) return <span className="dim">–</span>;
  // What ends a paused sandbox is how long it is kept so.
  const kind = next.kind === 'shutdown' && row.paused ? 'retention' : next.kind;
  const text = t(kind, { left: timeLeft(next.at - now) });
  const title = f.exact(next.at);
  const field = next.kind === 'pause' || next.kind === 'pauseDue' ? 'pauseTime' : 'shutdownTime';
  return (
    <Extendable row={row} field={field}>
      {endsSoon(next, row, now, limits) ? (
        <b className="b text-breach-fg" title={title}>
          {text}
        </b>
      ) : (
        <span className="mut" title={title}>
          {text}
        </span>
      )}
    </Extendable>
  );
}

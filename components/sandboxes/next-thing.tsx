'use client';

import type { SandboxRow } from '@/lib/contracts/rows';
import { type NextThing, nextThing } from '@/lib/domain/deadlines';
import { severityOf } from '@/lib/domain/severity';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { timeLeft } from './countdown';

const soonMs = 5 * 60_000;

/** The session ends soon while the sandbox is stuck: somebody has to act now. */
export function endsSoon(next: NextThing | undefined, row: SandboxRow, now: number): boolean {
  return next?.kind === 'shutdown' && next.at - now < soonMs && severityOf(row, now) === 'breach';
}

/** What the cluster will do by itself: `pauses in 12m`, `shuts down in 3d 04h`, or that it is overdue; `–` is none. */
export function NextThingText({ row }: { row: SandboxRow }) {
  const now = useNow();
  const f = useFormats();
  const t = useTranslations('sandboxes.next');
  const next = nextThing(row, now);
  if (!next) return <span className="dim">–</span>;
  const text = t(next.kind, { left: timeLeft(next.at - now) });
  const title = f.exact(next.at);
  return endsSoon(next, row, now) ? (
    <b className="b text-breach-fg" title={title}>
      {text}
    </b>
  ) : (
    <span className="mut" title={title}>
      {text}
    </span>
  );
}

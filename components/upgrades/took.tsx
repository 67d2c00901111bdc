'use client';

import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useNow } from '@/lib/live';

/** How long an operation has run, by the clock that says when it started; of one that is over, how long it took. */
export function useTook({ op, view }: Upgrade): string | undefined {
  const f = useFormats();
  const now = useNow();
  const runs = isActive(op) && op.goneAt === undefined && op.created !== undefined;
  const ms = runs ? Math.max(0, now - (op.created ?? now)) : view.elapsedMs;
  return ms === undefined ? undefined : f.coarse(ms);
}

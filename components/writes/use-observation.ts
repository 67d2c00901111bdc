import { useEffect, useState } from 'react';
import type { Receipt } from '@/lib/contracts/writes';
import type { ReceiptState } from '../ui';

/** How long a change may take to come back through the watch before the receipt says that it has not. */
export const observeWithinMs = 20_000;

export type Observation = { state: Exclude<ReceiptState, 'refused'>; tookMs: number };

/**
 * Follows an accepted write until the watch has shown it.
 * @param seen whether the live row shows the change; once true, later changes do not undo it
 */
export function useObservation(receipt: Receipt | undefined, sentAt: number, seen: boolean): Observation {
  const [outcome, setOutcome] = useState<{ id: string } & Observation>();
  const id = receipt?.id;
  const done = receipt && !receipt.changed;
  // External system: the watch (through `seen`) and the clock.
  useEffect(() => {
    if (id === undefined || done) return;
    const conclude = (state: Observation['state']) =>
      setOutcome((known) =>
        known?.id === id && known.state === 'observed' ? known : { id, state, tookMs: Date.now() - sentAt },
      );
    if (seen) {
      conclude('observed');
      return;
    }
    const timer = setTimeout(() => conclude('unobserved'), Math.max(0, sentAt + observeWithinMs - Date.now()));
    return () => clearTimeout(timer);
  }, [id, done, sentAt, seen]);
  if (done) return { state: 'observed', tookMs: 0 };
  return outcome && outcome.id === id ? outcome : { state: 'accepted', tookMs: 0 };
}

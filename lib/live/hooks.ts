'use client';

import {
  createContext,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { RowKind, RowLists, RowOf } from '@/lib/contracts/rows';
import type { KindFreshness } from '@/lib/contracts/stream';
import { type LimitsInForce, standardLimits } from '@/lib/domain/limits';
import { useLiveClient } from './provider';
import type { LiveStatus } from './status';

const nothing = () => undefined;

/**
 * Every row of a kind in the scope, in no particular order. The same array until a row of that kind changes.
 * What a page makes of thousands of rows is drawn when no key press waits, so this can be a moment behind
 * {@link useRow} and the status; the first rows never are, or a list would be called empty until they are drawn.
 */
export function useRows<K extends RowKind>(kind: K): RowLists[K] {
  const client = useLiveClient();
  const [held, setHeld] = useState(() => ({ client, kind, rows: client.rows(kind) }));

  // External system: the rows of the stream.
  useEffect(() => {
    let known = client.rows(kind);
    const take = () => setHeld((was) => (was.rows === known ? was : { client, kind, rows: known }));
    take();
    return client.onRows(kind, () => {
      const first = known.length === 0;
      known = client.rows(kind);
      if (first) take();
      else startTransition(take);
    });
  }, [client, kind]);

  return held.client === client && held.kind === kind ? held.rows : client.rows(kind);
}

/** One row; the same object until it changes, undefined when it is gone or was never seen. */
export function useRow<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined {
  const client = useLiveClient();
  return useSyncExternalStore<RowOf<K> | undefined>(
    useCallback((changed) => client.onRows(kind, changed), [client, kind]),
    () => client.row(kind, uid),
    nothing,
  );
}

/** Like {@link useRow}, for pages that know a name: another object of the same name takes its place. */
export function useRowByName<K extends RowKind>(kind: K, namespace: string, name: string): RowOf<K> | undefined {
  const client = useLiveClient();
  return useSyncExternalStore<RowOf<K> | undefined>(
    useCallback((changed) => client.onRows(kind, changed), [client, kind]),
    () => client.rowByName(kind, namespace, name),
    nothing,
  );
}

const loading: LiveStatus = { state: 'loading', ageMs: 0 };

/** How current the rows are. Changes every second while their age grows: read it where the age is shown. */
export function useLiveStatus(): LiveStatus {
  const client = useLiveClient();
  return useSyncExternalStore(
    useCallback((changed) => client.onStatus(changed), [client]),
    () => client.status(),
    () => loading,
  );
}

/** The state alone: renders again when it changes, not when the age does. */
export function useLiveState(): LiveStatus['state'] {
  const client = useLiveClient();
  return useSyncExternalStore(
    useCallback((changed) => client.onStatus(changed), [client]),
    () => client.status().state,
    () => loading.state,
  );
}

/** What is known of one watched plural: `missing` and `forbidden` are pages of their own. */
export function useKindFreshness(kind: string): KindFreshness | undefined {
  const client = useLiveClient();
  return useSyncExternalStore<KindFreshness | undefined>(
    useCallback((changed) => client.onStatus(changed), [client]),
    () => client.status().freshness?.kinds.find((known) => known.kind === kind),
    nothing,
  );
}

/** What everything is judged by: how long a state may last, by its pool. The same object until somebody changes a limit. */
export function useLimits(): LimitsInForce {
  const client = useLiveClient();
  return useSyncExternalStore(
    useCallback((changed) => client.onLimits(changed), [client]),
    () => client.limits(),
    () => standardLimits,
  );
}

/** Version of what people have said of the sandboxes in the scope; undefined before the first list. */
export function useMarksVersion(): string | undefined {
  const client = useLiveClient();
  return useSyncExternalStore<string | undefined>(
    useCallback((changed) => client.onMarks(changed), [client]),
    () => client.marks(),
    nothing,
  );
}

const stoppedAt = createContext<number | undefined>(undefined);

/**
 * Stops {@link useNow} for what is inside at `value`, epoch ms of the server's clock: what is known last of something
 * that is gone does not age. Undefined lets it run.
 */
export const StoppedClock = stoppedAt.Provider;

/**
 * The server's clock as this tab knows it, in epoch milliseconds, rounded down to `everyMs` (whole seconds).
 * One ticker serves all. 0 while rendering on the server, where there are no rows to measure.
 */
export function useNow(everyMs = 1_000): number {
  const client = useLiveClient();
  const stopped = useContext(stoppedAt);
  return useSyncExternalStore(
    useCallback((changed) => client.onTick(changed), [client]),
    () => Math.floor((stopped ?? client.tickedAt()) / everyMs) * everyMs,
    () => 0,
  );
}

export interface LiveControls {
  pause(): void;
  resume(): void;
  /** Lists again; settles when the new rows are in place, or when the attempt has failed (see the status). */
  refresh(): Promise<void>;
}

export function useLiveControls(): LiveControls {
  return useLiveClient().controls;
}

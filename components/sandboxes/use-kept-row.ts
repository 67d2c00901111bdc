'use client';

import { useState } from 'react';
import { useListState } from '@/components/common';
import { useScope } from '@/components/shell';
import type { RowKind, RowOf } from '@/lib/contracts/rows';
import { useNow, useRowByName } from '@/lib/live';

export interface Kept<K extends RowKind> {
  /** The object that was looked at first, as it was last known; undefined until one was seen. */
  row: RowOf<K> | undefined;
  /** When it was noticed to be gone, server clock. */
  goneAt: number | undefined;
  /** Another object that has the name by now. */
  successor: RowOf<K> | undefined;
  /** Turns to the successor. */
  follow: () => void;
}

export type KeptRow = Kept<'sandboxes'>;

/** The sandbox of a name, kept on screen when it is deleted, and never silently exchanged for a namesake. */
export const useKeptRow = (ns: string, name: string): KeptRow => useKept('sandboxes', ns, name);

interface Held<Row> {
  key: string;
  row: Row | undefined;
  goneAt: number | undefined;
}

/**
 * Like {@link useKeptRow}, for any kind.
 * @param first the object that is meant, where that is known before the live rows are asked
 */
export function useKept<K extends RowKind>(kind: K, ns: string, name: string, first?: RowOf<K>): Kept<K> {
  const live = useRowByName(kind, ns, name);
  const now = useNow();
  const { namespaces } = useScope();
  const listed = useListState(kind) === 'ready' && (namespaces.length === 0 || namespaces.includes(ns));
  const key = `${ns}/${name}`;
  const [held, setHeld] = useState<Held<RowOf<K>>>({ key, row: first ?? live, goneAt: undefined });

  // Adjusted while rendering: no frame shows one sandbox under the other's head.
  const next = nextKept(held, key, live, listed, now);
  if (next !== held) setHeld(next);

  return {
    row: next.row,
    goneAt: next.goneAt,
    successor: live && next.row && live.uid !== next.row.uid ? live : undefined,
    follow: () => setHeld({ key, row: live, goneAt: undefined }),
  };
}

function nextKept<Row extends { uid: string }>(
  held: Held<Row>,
  key: string,
  live: Row | undefined,
  listed: boolean,
  now: number,
): Held<Row> {
  if (held.key !== key || held.row === undefined) {
    return held.key === key && held.row === live ? held : { key, row: live, goneAt: undefined };
  }
  if (live?.uid === held.row.uid) {
    return live === held.row && held.goneAt === undefined ? held : { key, row: live, goneAt: undefined };
  }
  return held.goneAt === undefined && (live || listed) ? { ...held, goneAt: now } : held;
}

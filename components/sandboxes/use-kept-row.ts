'use client';

import { useState } from 'react';
import { useListState } from '@/components/common';
import { useScope } from '@/components/shell';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useNow, useRowByName } from '@/lib/live';

export interface KeptRow {
  /** The sandbox that was looked at first, as it was last known; undefined until one was seen. */
  row: SandboxRow | undefined;
  /** When it was noticed to be gone, server clock. */
  goneAt: number | undefined;
  /** Another sandbox that has the name by now. */
  successor: SandboxRow | undefined;
  /** Turns to the successor. */
  follow: () => void;
}

interface Kept {
  key: string;
  row: SandboxRow | undefined;
  goneAt: number | undefined;
}

/** The sandbox of a name, kept on screen when it is deleted, and never silently exchanged for a namesake. */
export function useKeptRow(ns: string, name: string): KeptRow {
  const live = useRowByName('sandboxes', ns, name);
  const now = useNow();
  const { namespaces } = useScope();
  const listed = useListState('sandboxes') === 'ready' && (namespaces.length === 0 || namespaces.includes(ns));
  const key = `${ns}/${name}`;
  const [held, setHeld] = useState<Kept>({ key, row: live, goneAt: undefined });

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

function nextKept(held: Kept, key: string, live: SandboxRow | undefined, listed: boolean, now: number): Kept {
  if (held.key !== key || held.row === undefined) {
    return held.key === key && held.row === live ? held : { key, row: live, goneAt: undefined };
  }
  if (live?.uid === held.row.uid) {
    return live === held.row && held.goneAt === undefined ? held : { key, row: live, goneAt: undefined };
  }
  return held.goneAt === undefined && (live || listed) ? { ...held, goneAt: now } : held;
}

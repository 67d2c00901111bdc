'use client';

import { useObject } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';

/** The whole sandbox with its Pod and events, read again when anything of its row changes. */
export function useSandboxObject(named: { ns: string; name: string }, row: SandboxRow | undefined) {
  return useObject('sandboxes', named, row && versionOf(row));
}

/** Changes with everything of a row that speaks of the object. */
const versionOf = (row: SandboxRow) =>
  [
    row.uid,
    row.gen,
    row.obs,
    row.state,
    row.since,
    row.stage,
    row.ready,
    row.node,
    row.ip,
    row.restarts,
    row.message,
    row.cause?.code,
    row.cause?.detail,
    row.deleting,
  ].join('|');

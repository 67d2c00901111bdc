'use client';

import { useMemo } from 'react';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Verdict } from '@/lib/domain/diagnosis/verdict';
import { neighboursOf, verdictOfRow } from '@/lib/domain/diagnosis/verdict-of-row';
import { useLimits, useNow, useRows } from '@/lib/live';

/** The verdict on a sandbox by the rules of the list, on its whole objects and live neighbours; undefined while they are not read. */
export function useVerdict(row: SandboxRow, reply: ObjectReply | undefined): Verdict | undefined {
  const now = useNow();
  const limits = useLimits();
  const sandboxes = useRows('sandboxes');
  const sandboxsets = useRows('sandboxsets');
  const sandboxupdateops = useRows('sandboxupdateops');
  const nodes = useRows('nodes');
  const { ns, pool } = row;
  const around = useMemo(
    () => ({
      ...neighboursOf({ ns, ...(pool === undefined ? {} : { pool }) }, { sandboxes, sandboxsets, sandboxupdateops }),
      nodes,
    }),
    [nodes, ns, pool, sandboxes, sandboxsets, sandboxupdateops],
  );
  return useMemo(
    () => (reply ? verdictOfRow(row, reply, around, now, limits) : undefined),
    [around, limits, now, reply, row],
  );
}

import type { ObjectReply } from '@/lib/contracts/objects';
import type { NodeRow, PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { LimitsInForce } from '../limits';
import { record, text } from '../read';
import { timedStateOf } from '../sandbox-state';
import { diagnose } from './diagnose';
import type { Verdict } from './verdict';

/** What is live around a sandbox: of all namespaces that are shown. */
export interface LiveRows {
  sandboxes: readonly SandboxRow[];
  sandboxsets: readonly PoolRow[];
  sandboxupdateops: readonly UpgradeRow[];
  nodes: readonly NodeRow[];
}

/** The neighbours of a sandbox that a verdict looks at. */
export function neighboursOf({ ns, pool: name }: Pick<SandboxRow, 'ns' | 'pool'>, rows: Omit<LiveRows, 'nodes'>) {
  const pool = rows.sandboxsets.find((each) => each.ns === ns && each.name === name);
  return {
    ...(pool ? { pool } : {}),
    operations: rows.sandboxupdateops.filter((each) => each.ns === ns),
    ...(name === undefined ? {} : { siblings: rows.sandboxes.filter((each) => each.ns === ns && each.pool === name) }),
  };
}

/** The verdict on a sandbox by the rules of the list, on its whole objects as the server has just read them. */
export function verdictOfRow(
  row: SandboxRow,
  reply: ObjectReply,
  around: ReturnType<typeof neighboursOf> & Pick<LiveRows, 'nodes'>,
  now: number,
  limits: LimitsInForce,
): Verdict {
  const { nodes, ...neighbours } = around;
  const nodeName = text(record(reply.pod?.spec).nodeName);
  const node = nodes.find(({ name }) => name === nodeName);
  return diagnose({
    sandbox: reply.object,
    // The server has looked: without a Pod there is none.
    pod: reply.pod ?? null,
    ...(reply.events ? { events: reply.events } : {}),
    ...(node ? { node } : {}),
    ...(reply.template === undefined ? {} : { template: reply.template }),
    ...(reply.checkpoints ? { checkpoints: reply.checkpoints } : {}),
    ...(row.sinceFrom === 'observed' && row.since !== undefined
      ? { observed: { state: timedStateOf(row), at: row.since } }
      : {}),
    siblings: [row],
    ...neighbours,
    now,
    limits,
  });
}

import 'server-only';
import type { SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { JsonPatchOp, Receipt } from '@/lib/contracts/writes';
import { parseTime } from '@/lib/domain/time';
import type { ServiceContext } from '../context';
import { ok, type Result } from '../result';
import { deadlineOps, notPassed } from './deadline-ops';
import { type How, patchSandbox } from './write';

/**
 * Clears spec.paused: a new Pod is made from the template as it is now (domain 4.5). A pauseTime that has passed would pause it
 * again at once (recorded `pause-time`), so another one, or none, can take its place in the same patch.
 */
export async function resumeSandbox(
  ctx: ServiceContext,
  target: SandboxTarget,
  { pauseTime }: { pauseTime?: string | null | undefined },
  how: How,
): Promise<Result<Receipt>> {
  const passed = notPassed('pauseTime', pauseTime, ctx.now());
  if (passed) return passed;
  const write = {
    action: 'resumeSandbox' as const,
    summary: pauseTime === undefined ? 'resumed' : `resumed, pauseTime ${pauseTime ?? 'removed'}`,
    before: { 'spec.paused': true },
    after: { 'spec.paused': false },
  };
  return patchSandbox(ctx, target, write, how, ({ spec }) => {
    const ops: JsonPatchOp[] = spec.paused ? [{ op: 'add', path: '/spec/paused', value: false }] : [];
    const due = (parseTime(spec.pauseTime) ?? Number.POSITIVE_INFINITY) <= ctx.now();
    if (ops.length > 0 && due && pauseTime !== undefined) {
      ops.push(...deadlineOps('pauseTime', spec.pauseTime, pauseTime));
    }
    return ok({ ops, before: spec.paused ?? false, after: false });
  });
}

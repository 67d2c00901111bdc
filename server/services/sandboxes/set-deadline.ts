import 'server-only';
import type { SandboxChange, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { Receipt } from '@/lib/contracts/writes';
import { parseTime } from '@/lib/domain/time';
import type { ServiceContext } from '../context';
import { ok, type Result, refuse } from '../result';
import { deadlineOps, notPassed } from './deadline-ops';
import { type How, patchSandbox } from './write';

type Deadline = Omit<Extract<SandboxChange, { action: 'setDeadline' }>, 'action'>;

const seenAs = { shutdownTime: 'shutdownAt', pauseTime: 'pauseAt' } as const;

/** Sets, extends or removes spec.shutdownTime or spec.pauseTime. Whole seconds, as Kubernetes keeps times. */
export async function setDeadline(
  ctx: ServiceContext,
  target: SandboxTarget,
  deadline: Deadline,
  how: How,
): Promise<Result<Receipt>> {
  const { field, to, addSeconds } = deadline;
  const passed = notPassed(field, to, ctx.now());
  if (passed) return passed;
  const seen = target.seen?.[seenAs[field]];
  const before = { [`spec.${field}`]: typeof seen === 'number' ? wholeSeconds(seen) : (seen ?? null) };
  const planned = to === undefined ? added(ctx, addSeconds ?? 0, seen ?? undefined) : rounded(to);
  const write = {
    action: 'setDeadline' as const,
    summary: `${field} ${before[`spec.${field}`] ?? 'none'} → ${planned ?? 'none'}`,
    before,
    after: { [`spec.${field}`]: planned },
  };
  return patchSandbox(ctx, target, write, how, ({ spec }) => {
    if (to === undefined && addSeconds === undefined) {
      return refuse('validation', 'noDeadline', { sandbox: target.name, field: `spec.${field}` }, { applied: 'no' });
    }
    const wanted = to === undefined ? added(ctx, addSeconds ?? 0, parseTime(spec[field])) : rounded(to);
    return ok({ ops: deadlineOps(field, spec[field], wanted), before: spec[field] ?? null, after: wanted });
  });
}

/** From what it has; from now where that has passed, or where it has none. */
const added = (ctx: ServiceContext, seconds: number, from: number | undefined) =>
  wholeSeconds(Math.max(from ?? 0, ctx.now()) + seconds * 1000);

const rounded = (to: string | null) => (to === null ? null : wholeSeconds(Date.parse(to)));
const wholeSeconds = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

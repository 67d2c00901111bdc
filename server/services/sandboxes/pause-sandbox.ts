import 'server-only';
import type { SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { Receipt } from '@/lib/contracts/writes';
import type { ServiceContext } from '../context';
import { ok, type Result } from '../result';
import { type How, patchSandbox } from './write';

/** Sets spec.paused: the Pod is deleted, and with it memory and root file system (domain 4.4). */
export function pauseSandbox(ctx: ServiceContext, target: SandboxTarget, how: How): Promise<Result<Receipt>> {
  const write = {
    action: 'pauseSandbox' as const,
    summary: 'paused',
    before: { 'spec.paused': false },
    after: { 'spec.paused': true },
  };
  return patchSandbox(ctx, target, write, how, ({ spec }) =>
    ok({
      ops: spec.paused ? [] : [{ op: 'add', path: '/spec/paused', value: true }],
      before: spec.paused ?? false,
      after: true,
    }),
  );
}

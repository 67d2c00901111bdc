import 'server-only';
import type { SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { JsonPatchOp, Receipt } from '@/lib/contracts/writes';
import type { ServiceContext } from '../context';
import { ok, type Result } from '../result';
import { type How, patchSandbox } from './write';

/**
 * Takes one finalizer from a sandbox that is being deleted, by its name at its place. With the last one the object is gone, and
 * what the finalizer waited for is left to the garbage collector.
 */
export function removeFinalizer(
  ctx: ServiceContext,
  target: SandboxTarget,
  finalizer: string,
  how: How,
): Promise<Result<Receipt>> {
  const write = {
    action: 'removeFinalizer' as const,
    summary: `finalizer ${finalizer} removed`,
    before: { finalizer },
    after: null,
  };
  return patchSandbox(ctx, target, write, how, ({ metadata }) => {
    const finalizers = metadata.finalizers ?? [];
    const index = finalizers.indexOf(finalizer);
    const path = `/metadata/finalizers/${index}`;
    const ops: JsonPatchOp[] =
      index < 0
        ? []
        : [
            { op: 'test', path, value: finalizer },
            { op: 'remove', path },
          ];
    return ok({ ops, before: finalizers, after: finalizers.filter((each) => each !== finalizer) });
  });
}

import 'server-only';
import type { Receipt } from '@/lib/contracts/writes';
import type { Intent, Outcome } from '../history/audit';
import type { ServiceContext } from './context';
import { type Failure, type Result, refuse } from './result';

/**
 * Runs a write between its two audit lines; whatever happens, the second line is written.
 * A dry run changes nothing and leaves none.
 */
export async function audited(
  ctx: ServiceContext,
  dryRun: boolean,
  intent: Intent,
  write: (receiptId: string) => Promise<Result<Receipt>>,
): Promise<Result<Receipt>> {
  if (dryRun) return write('dry-run');
  return recorded(ctx, intent, write, ({ changed, resourceVersion }) => ({
    result: changed ? 'accepted' : 'unchanged',
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }));
}

/** The same for what is not written to the cluster. */
export async function recorded<T>(
  ctx: Pick<ServiceContext, 'audit'>,
  intent: Intent,
  write: (id: string) => Promise<Result<T>>,
  outcomeOf: (value: T) => Outcome = () => ({ result: 'accepted' }),
): Promise<Result<T>> {
  const id = ctx.audit.intend(intent);
  try {
    const result = await write(id);
    if (result.ok) {
      ctx.audit.conclude(id, intent, outcomeOf(result.value));
    } else {
      const { applied } = result.problem;
      ctx.audit.conclude(id, intent, {
        result: applied === 'unknown' ? 'unknown' : 'refused',
        ...told(result.problem),
      });
    }
    return result;
  } catch (fault) {
    ctx.audit.conclude(id, intent, { result: 'unknown', ...told(refuse('internal', 'fault', {}).problem) });
    throw fault;
  }
}

function told({ message, code, reason, values }: Failure) {
  return { message, code, ...(reason ? { refusal: { reason, values } } : {}) };
}

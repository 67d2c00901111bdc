import 'server-only';
import type { RecentAction } from '@/lib/contracts/writes';
import type { Scope } from '../../access/scope';
import type { ServiceContext } from '../context';
import { ok, type Result } from '../result';

/** The console's last writes on pools that this person may see, newest first, failures included. */
export function listActions(ctx: Pick<ServiceContext, 'audit'>, scope: Scope): Result<{ actions: RecentAction[] }> {
  const actions = ctx.audit.recent().filter((a) => scope.maySee('sandboxsets', a.object.namespace));
  return ok({ actions });
}

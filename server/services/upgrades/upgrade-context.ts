import 'server-only';
import type { SandboxRow } from '@/lib/contracts/rows';
import { type History, HistoryUnavailable, history } from '../../history/database';
import { getCluster } from '../../kube/cluster';
import type { Guards } from '../../upgrades/guards';
import type { Journal } from '../../upgrades/journal';
import { journal, upgradeGuards } from '../../upgrades/running';
import type { ServiceContext } from '../context';
import { type Failure, refuse } from '../result';
import { serviceContext } from '../service-context';

/** What services of upgrades lean on besides: what the console has seen, stored, and does by itself. */
export type UpgradeContext = ServiceContext & {
  history: History;
  journal: Pick<Journal, 'flush'>;
  guards: Pick<Guards, 'of' | 'principalOf' | 'prepare' | 'bind' | 'cancel' | 'set'>;
  /** Of the whole cluster, as the watch shows them: whether the person may see them is to be asked. */
  sandboxes(): Iterable<SandboxRow>;
};

export async function upgradeContext(call: Parameters<typeof serviceContext>[0]): Promise<UpgradeContext> {
  const ctx = await serviceContext(call);
  return {
    ...ctx,
    history: history(),
    journal: journal(),
    guards: upgradeGuards(),
    sandboxes: () => getCluster().rows('sandboxes'),
  };
}

/** Of what the database refused; other errors go on. */
export function refusedByHistory(error: unknown): { ok: false; problem: Failure } {
  if (!(error instanceof HistoryUnavailable)) throw error;
  return refuse('history_unavailable', 'historyAway', { why: error.message }, { applied: 'no' });
}

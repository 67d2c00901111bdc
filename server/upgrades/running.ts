import 'server-only';
import { audit } from '../history/audit';
import { history } from '../history/database';
import { getCluster } from '../kube/cluster';
import { clusterNow } from '../kube/cluster-clock';
import { once } from '../once';
import { guardActions } from './guard-actions';
import { Guards } from './guards';
import { Journal } from './journal';

/** The journal of this process; it listens from the first call on. */
export const journal = (): Journal => once('upgrades.journal', () => new Journal(getCluster(), history(), clusterNow));

/** The guards of this process. */
export const upgradeGuards = (): Guards =>
  once('upgrades.guards', () => {
    const actions = guardActions(getCluster(), audit(), clusterNow);
    return new Guards(getCluster(), history(), actions, clusterNow);
  });

/** Stores what waits, as far as its operation is known. */
export async function stopUpgrades(): Promise<void> {
  upgradeGuards().stop();
  journal().stop();
  await journal().flush();
}

/** Takes up what is stored. With the database open already, that is done before anything can be heard of the cluster. */
export async function startUpgrades(): Promise<void> {
  await Promise.all([journal().recall(), upgradeGuards().recall()]);
}

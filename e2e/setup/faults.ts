import type { Cluster } from './cluster';

async function ask(cluster: Pick<Cluster, 'control'>, method: 'POST' | 'DELETE', room: string): Promise<void> {
  if (cluster.control === undefined) throw new Error('Only the embedded cluster is broken on purpose.');
  const headers = { 'content-type': 'application/json' };
  const body = method === 'POST' ? '{}' : null;
  const { ok, status } = await fetch(`${cluster.control}/${room}`, { method, headers, body });
  if (!ok) throw new Error(`${method} ${room}: ${status}`);
}

/** Breaks something of the embedded cluster while `work` is done. */
export async function during(
  cluster: Pick<Cluster, 'control'>,
  fault: string,
  work: () => Promise<void>,
): Promise<void> {
  await ask(cluster, 'POST', `faults/${fault}`);
  await work().finally(() => ask(cluster, 'DELETE', 'faults'));
}

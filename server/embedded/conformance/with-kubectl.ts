import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeKubeconfigs } from '../apiserver/kubeconfig';
import { type KubectlTarget, kubectl } from './documents/kubectl';

/** How kubectl reaches a cluster: the embedded API server, or whatever a kubeconfig names. */
export type KubectlCluster = { port: number; ca: string } | { kubeconfig: string; context?: string | undefined };

/** Runs something that types at kubectl, with a folder of its own; false, and nothing is run, where there is no kubectl. */
export async function withKubectl(
  cluster: KubectlCluster,
  act: (target: KubectlTarget) => Promise<void>,
): Promise<boolean> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'conformance-kubectl-'));
  const target = {
    // kubectl sends a token over TLS only.
    ...('port' in cluster ? { kubeconfig: writeKubeconfigs(folder, cluster) } : cluster),
    cache: path.join(folder, 'cache'),
  };
  try {
    const isThere = await hasKubectl(target);
    if (isThere) await act(target);
    return isThere;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hasKubectl(target: KubectlTarget): Promise<boolean> {
  try {
    await kubectl(target, { args: ['version', '--client'] });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

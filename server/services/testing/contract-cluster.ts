import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readEnvironment } from '@/server/env';
import { KubeClient } from '@/server/kube/client';
import { clusterConfig } from '@/server/kube/config';
import { writeKubeconfig } from '../../embedded/apiserver/kubeconfig';
import { type FaultHook, startApiServer } from '../../embedded/apiserver/server';

/** A cluster over HTTP: the one that CONSOLE_TEST_KUBECONFIG names, else an embedded API server of its own. */
export type ContractCluster = {
  client: KubeClient;
  /** Puts an answer in the place of the real one; only the embedded API server can. */
  setFault: ((hook: FaultHook | undefined) => void) | undefined;
  close(): Promise<void>;
};

export const realKubeconfig = process.env.CONSOLE_TEST_KUBECONFIG;

export async function contractCluster(): Promise<ContractCluster> {
  const clientOf = (file: string) => new KubeClient(clusterConfig(readEnvironment({ CONSOLE_KUBECONFIG: file })));
  if (realKubeconfig) {
    return { client: clientOf(realKubeconfig), setFault: undefined, close: async () => undefined };
  }
  const server = await startApiServer({ port: 0, anonymous: 'refused' });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'contract-'));
  const file = path.join(folder, 'kubeconfig');
  writeKubeconfig(file, server.url);
  return {
    client: clientOf(file),
    setFault: (hook) => server.setFault(hook),
    async close() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

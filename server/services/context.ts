import 'server-only';
import type { Freshness } from '@/lib/contracts/stream';
import type { Principal } from '../access/principal';
import type { Audit } from '../history/audit';

/** One call to the API server. `as` is the person it is made for. */
export type KubeCall = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: unknown;
  contentType?: string;
  as: Principal;
  timeoutMs?: number;
  signal?: AbortSignal;
};

export type KubeAnswer = { status: number; body: unknown; warnings: string[] };

/** What services need of a cluster; `getCluster()` of server/kube gives it. `request` throws `KubeError`. */
export type ClusterPort = {
  client: { request(call: KubeCall): Promise<KubeAnswer> };
  freshness(): Freshness;
};

/** Everything a service leans on, handed over so that tests choose it. */
export type ServiceContext = {
  cluster: ClusterPort;
  principal: Principal;
  requestId: string;
  audit: Audit;
  /** The server's clock, epoch milliseconds. */
  now(): number;
};

/** Names this console in `managedFields`, so that others can see who changed a field. */
export const fieldManager = 'agents-console';

export const agentsApi = '/apis/agents.kruise.io/v1alpha1';

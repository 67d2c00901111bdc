import 'server-only';
import type { RowKind } from '@/lib/contracts/rows';
import type { Watched } from './list-all';

export type WatchedKind = RowKind | 'pods' | 'sandboxtemplates';

const agents = '/apis/agents.kruise.io/v1alpha1';

export const watched = {
  sandboxes: { kind: 'sandboxes', path: `${agents}/sandboxes` },
  sandboxsets: { kind: 'sandboxsets', path: `${agents}/sandboxsets` },
  sandboxupdateops: { kind: 'sandboxupdateops', path: `${agents}/sandboxupdateops` },
  sandboxclaims: { kind: 'sandboxclaims', path: `${agents}/sandboxclaims` },
  sandboxtemplates: { kind: 'sandboxtemplates', path: `${agents}/sandboxtemplates` },
  nodes: { kind: 'nodes', path: '/api/v1/nodes' },
  namespaces: { kind: 'namespaces', path: '/api/v1/namespaces' },
  // Label and selector: domain 2.2.
  pods: { kind: 'pods', path: '/api/v1/pods', labelSelector: 'agents.kruise.io/created-by=sandbox' },
} as const satisfies Record<WatchedKind, Watched>;

/** These come with OpenKruise Agents; without them there is nothing to show, and the page says how to install them. */
export const agentsKinds = ['sandboxes', 'sandboxsets', 'sandboxupdateops', 'sandboxclaims'] as const;

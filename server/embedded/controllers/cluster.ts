import { Api } from './client/api';
import { Informer } from './client/informer';
import {
  checkpointSchema,
  nodeSchema,
  podSchema,
  sandboxClaimSchema,
  sandboxSchema,
  sandboxSetSchema,
  sandboxTemplateSchema,
  sandboxUpdateOpsSchema,
} from './client/objects';
import { resources } from './client/resources';
import type { ApiConnection } from './connect';
import { Metrics } from './metrics/registry';
import { annotation, label } from './rules/keys';
import { poolOwner } from './rules/state';
import { Switches } from './switches';

/** One API client and one local copy per kind, shared by all controllers of the process. */
export type Cluster = ReturnType<typeof createCluster>;

export function createCluster(connection: ApiConnection, switches = new Switches()) {
  const api = new Api(connection);
  const sandboxes = new Informer(api, resources.sandboxes, sandboxSchema);
  sandboxes.index('pool', (sandbox) => poolOwner(sandbox)?.uid);
  sandboxes.index('namespace', (sandbox) => sandbox.metadata.namespace);
  sandboxes.index('claim', (sandbox) => sandbox.metadata.annotations?.[annotation.owner]);
  sandboxes.index('updateOps', (sandbox) => {
    const name = sandbox.metadata.labels?.[label.updateOps];
    return name === undefined ? undefined : `${sandbox.metadata.namespace}/${name}`;
  });
  const pods = new Informer(api, resources.pods, podSchema);
  pods.index('node', (pod) => pod.spec.nodeName ?? '');
  const checkpoints = new Informer(api, resources.checkpoints, checkpointSchema);
  checkpoints.index(
    'sandbox',
    (checkpoint) => `${checkpoint.metadata.namespace}/${checkpoint.spec?.sandboxName ?? ''}`,
  );
  const updateOps = new Informer(api, resources.sandboxupdateops, sandboxUpdateOpsSchema);
  updateOps.index('namespace', (ops) => ops.metadata.namespace);
  return {
    api,
    switches,
    metrics: new Metrics(),
    sandboxes,
    pods,
    checkpoints,
    updateOps,
    sandboxSets: new Informer(api, resources.sandboxsets, sandboxSetSchema),
    claims: new Informer(api, resources.sandboxclaims, sandboxClaimSchema),
    templates: new Informer(api, resources.sandboxtemplates, sandboxTemplateSchema),
    nodes: new Informer(api, resources.nodes, nodeSchema),
  };
}

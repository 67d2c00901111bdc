import type { SandboxChange, SandboxOutcome, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { ServiceContext } from '../context';
import { actOnSandboxes } from '../sandboxes/act';
import { type SandboxOver, upgradeWorld } from './upgrade-world';

const prefix = 'agents.kruise.io/';

export const pinned = `registry.local/agent-runtime@sha256:${'ab'.repeat(32)}`;
export const tagged = 'registry.local/agent-runtime:v1';
/** One that is on its way back, of a template whose init image is pinned by digest. */
export const resuming = {
  phase: 'Resuming',
  spec: {
    template: {
      spec: {
        initContainers: [{ name: 'runtime', image: pinned, restartPolicy: 'Always' }],
        containers: [{ name: 'main', image: 'registry.local/code:v1', env: [{ name: 'MODE', value: 'dev' }] }],
      },
    },
  },
};
export const retag = (thenDeletePod: boolean): Extract<SandboxChange, { action: 'changeImages' }> => ({
  action: 'changeImages',
  images: [{ container: 'runtime', init: true, from: pinned, to: tagged }],
  thenDeletePod,
});

type More = { dryRun?: boolean; onFailure?: 'stop' | 'continue'; ctx?: ServiceContext; reason?: string };
export type SandboxWorld = Awaited<ReturnType<typeof sandboxWorld>>;

/** A namespace on an API server, and the actions on the sandboxes in it. No controller runs: the test writes statuses. */
export async function sandboxWorld() {
  const world = await upgradeWorld();
  const pods = `/api/v1/namespaces/${world.namespace}/pods`;
  let serial = 0;
  async function act(items: SandboxTarget[], change: SandboxChange, more: More = {}): Promise<SandboxOutcome[]> {
    const { ctx = world.context(), dryRun = false, onFailure = 'stop', ...rest } = more;
    const reply = await actOnSandboxes(ctx, { items, change, dryRun, onFailure, ...rest });
    if (!reply.ok) throw new Error(reply.problem.message);
    return reply.value.items;
  }
  return {
    ...world,
    act,
    /** The outcome of an action on one. */
    one: async (item: SandboxTarget, change: SandboxChange, more: More = {}) => (await act([item], change, more))[0],
    /** Makes one of a name of its own; calls are counted from here. */
    async make(over: SandboxOver = {}): Promise<SandboxTarget> {
      serial += 1;
      const made = await world.sandbox(`box-${serial}`, over);
      world.calls.length = 0;
      return { ns: world.namespace, ...made };
    },
    /** Makes its Pod as the controller does, and gives the uid. */
    async makePod({ name, uid }: SandboxTarget): Promise<string> {
      const owner = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', name, uid, controller: true };
      const answer = await world.cluster.client.request({
        method: 'POST',
        path: pods,
        body: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name, labels: { [`${prefix}created-by`]: 'sandbox' }, ownerReferences: [owner] },
          spec: { containers: [{ name: 'main', image: 'registry.local/code:v1' }], terminationGracePeriodSeconds: 0 },
        },
      });
      return (answer.body as { metadata: { uid: string } }).metadata.uid;
    },
    podIsThere: ({ name }: SandboxTarget) =>
      world.cluster.client.request({ method: 'GET', path: `${pods}/${name}` }).then(
        () => true,
        () => false,
      ),
    spec: async ({ name }: SandboxTarget) => (await world.read('sandboxes', name)).spec,
    /** What a person may do there who has these rights and no others. */
    async personWith(subject: string, rules: object[]): Promise<ServiceContext> {
      const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${world.namespace}`;
      const metadata = { name: subject };
      const user = { kind: 'User', name: subject, apiGroup: 'rbac.authorization.k8s.io' };
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: subject };
      const { client } = world.cluster;
      await client.request({ method: 'POST', path: `${path}/roles`, body: { metadata, rules } });
      await client.request({
        method: 'POST',
        path: `${path}/rolebindings`,
        body: { metadata, roleRef, subjects: [user] },
      });
      return world.context({ principal: { subject, groups: [], impersonate: true } });
    },
  };
}

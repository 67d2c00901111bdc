import { z } from 'zod';
import type { Api } from '../controllers/client/api';
import { sandboxUpdateOpsSchema } from '../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import { batch, dataNotebook, prod, pythonTools } from './pools';
import { claim, ignoreMissing, listSandboxes } from './sessions';

const fleetLabel = 'fleet';
const fleet = 'assistants';
const fleetSize = 14;
const kept = 3;
/** Long enough for a person to plan an upgrade of their own there: one at a time works in a namespace. */
const pauseMs = 10 * 60_000;
const tags = ['3.13.2', '3.13.3', '3.13.4', '3.13.5', '3.13.6'];

const opsList = z.looseObject({ items: z.array(sandboxUpdateOpsSchema) });
const listOps = async (api: Api, namespace: string) =>
  opsList.parse(await api.get(collectionPath(resources.sandboxupdateops, namespace))).items;

/**
 * One beat of the upgrades in production: a fleet of claimed sandboxes goes from tag to tag, one or two at a time; a hook makes
 * each take a few seconds. Finished operations rest for ten minutes, then the next starts; the oldest go.
 */
export async function upgradeBeat(api: Api): Promise<void> {
  const members = await listSandboxes(api, prod, `${fleetLabel}=${fleet}`);
  if (members.length < fleetSize) {
    const labels = { [fleetLabel]: fleet, team: 'assistants' };
    await claim(api, pythonTools, 'assistants-fleet', fleetSize - members.length, labels);
    return;
  }
  if (members.some(({ status }) => status?.phase !== 'Running')) return;
  const all = await listOps(api, prod);
  if (all.some(({ status }) => status?.phase !== 'Completed' && status?.phase !== 'Failed')) return;
  const own = all
    .filter(({ metadata }) => metadata.name.startsWith('python-tools-'))
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
  const finished = await restedSince(own.at(-1)?.metadata.uid);
  if (Date.now() - finished < pauseMs) return;
  for (const old of own.slice(0, Math.max(0, own.length - kept + 1)))
    await ignoreMissing(api.remove(objectPath(resources.sandboxupdateops, old)));
  const image = members[0]?.spec.template?.spec?.containers?.find(({ name }) => name === 'sandbox')?.image ?? '';
  const tag = tags[(tags.findIndex((one) => image.endsWith(`:${one}`)) + 1) % tags.length];
  await api.create(collectionPath(resources.sandboxupdateops, prod), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxUpdateOps',
    metadata: {
      name: `python-tools-${tag?.replaceAll('.', '-')}-${(Date.now() % 0xfff).toString(16)}`,
      namespace: prod,
    },
    spec: {
      selector: { matchLabels: { [fleetLabel]: fleet } },
      updateStrategy: { type: 'Recreate', maxUnavailable: own.length % 2 === 0 ? 1 : 2 },
      patch: { spec: { containers: [{ name: 'sandbox', image: `registry.local/agents/python-tools:${tag}` }] } },
      lifecycle: { preUpgrade: { exec: { command: ['/opt/hooks/drain', '--wait4=requests'] }, timeoutSeconds: 30 } },
    },
  });
}

let rest: { uid: string; since: number } | undefined;

/** When the last operation was first seen finished. */
async function restedSince(uid: string | undefined): Promise<number> {
  if (uid === undefined) return 0;
  if (rest?.uid !== uid) rest = { uid, since: Date.now() };
  return rest.since;
}

/** An operation in the batch namespace whose preUpgrade hook fails; it stays Failed until somebody acts. */
export async function failingHook(api: Api): Promise<void> {
  const label = 'report';
  const members = await listSandboxes(api, batch, `${label}=nightly`);
  if (members.length === 0) {
    await claim(api, dataNotebook, 'nightly-report', 1, { [label]: 'nightly', team: 'insights' });
    return;
  }
  if (members.some(({ status }) => status?.phase !== 'Running') || (await listOps(api, batch)).length > 0) return;
  await api.create(collectionPath(resources.sandboxupdateops, batch), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxUpdateOps',
    metadata: { name: 'data-notebook-2026-11', namespace: batch },
    spec: {
      selector: { matchLabels: { [label]: 'nightly' } },
      updateStrategy: { type: 'Recreate', maxUnavailable: 1 },
      patch: { spec: { containers: [{ name: 'sandbox', image: 'registry.local/agents/data-notebook:2026.11' }] } },
      lifecycle: {
        preUpgrade: {
          exec: { command: ['/bin/sh', '-c', '/opt/hooks/save-notebooks --on-error=fail'] },
          timeoutSeconds: 30,
        },
      },
    },
  });
}

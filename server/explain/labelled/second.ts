import type { FindingCode } from '@/lib/domain/diagnosis/codes';
import { record } from '@/lib/domain/read';
import type { WorldObject } from '../world';
import type { Snapshot } from './cluster.testing';

/** A second trap that the sandbox of a first one is brought into. */
export interface Second {
  name: string;
  /** What it tells; where the second one decides what happens, it is the cause. */
  tells: readonly FindingCode[];
  becomesCause?: true;
  /** Whether it can be told of a sandbox in this state; absent: always. */
  in?: readonly string[];
  change(sandbox: WorldObject, at: string): WorldObject;
  /** Of the node that its Pod is on. */
  node?(node: WorldObject): WorldObject;
}

const prefix = 'agents.kruise.io/';
/** Nothing acts on a sandbox that has ended: what was left on it is no danger. */
const atRest = ['Available', 'Running', 'NotReady', 'Initialising', 'Paused', 'Resuming', 'Creating'];

export const seconds: readonly Second[] = [
  {
    name: 'an upgradePolicy that was left (T44)',
    tells: ['LeftoverPolicy'],
    in: atRest,
    change: (it) => ({ ...it, spec: { ...record(it.spec), upgradePolicy: { type: 'Recreate' } } }),
  },
  {
    name: 'a label of a failure that is over (T13)',
    tells: ['LeftoverFailedLabel'],
    in: atRest,
    change: ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, labels: { ...metadata.labels, [`${prefix}upgrade-failed`]: 'true' } },
    }),
  },
  {
    name: 'a pause that keeps less than was asked for (T28)',
    tells: ['PauseLosesMore'],
    in: ['Available', 'Running', 'NotReady', 'Initialising'],
    change: (it) => ({ ...it, spec: { ...record(it.spec), persistentContents: ['memory'] } }),
  },
  {
    name: 'a container that was used before (T33)',
    tells: ['NotReset'],
    change: (it) => ({ ...it, status: { ...record(it.status), recycledCount: 1 } }),
  },
  {
    name: 'a node that is being drained (T26)',
    tells: ['NodeCordoned'],
    in: ['Available', 'Running', 'NotReady', 'Initialising'],
    change: (it) => it,
    node: (it) => ({ ...it, spec: { ...record(it.spec), unschedulable: true } }),
  },
  {
    name: 'a deletion that hangs',
    tells: ['OldPodTerminating', 'FinalizerHeld'],
    becomesCause: true,
    change: ({ metadata, ...rest }, at) => ({
      ...rest,
      metadata: { ...metadata, deletionTimestamp: at, finalizers: [`${prefix}sandbox`] },
    }),
  },
];

/** The same moment, with the second trap on one sandbox. */
export function with2nd(snapshot: Snapshot, second: Second, uid: string): Snapshot {
  const at = new Date(snapshot.at - 600_000).toISOString();
  const sandbox = snapshot.objects.find(({ object }) => object.metadata.uid === uid)?.object;
  const { name, namespace } = sandbox?.metadata ?? {};
  const pod = snapshot.objects.find(
    ({ plural, object: { metadata } }) =>
      plural === 'pods' && metadata.name === name && metadata.namespace === namespace,
  );
  const node = record(pod?.object.spec).nodeName;
  const objects = snapshot.objects.map(({ plural, object }) => {
    if (object.metadata.uid === uid) return { plural, object: second.change(object, at) };
    if (plural === 'nodes' && object.metadata.name === node) return { plural, object: second.node?.(object) ?? object };
    return { plural, object };
  });
  return { ...snapshot, objects };
}

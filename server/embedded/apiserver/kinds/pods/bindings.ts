import type { Action } from '../../core/admission';
import { fieldsOf, type KubeObject, listOf, textOf } from '../../core/objects';
import { read } from '../../core/reads';
import { badRequest, conflict } from '../../core/status';
import { type Storage, timestamp } from '../../core/storage';
import { DONE } from './done';

/** Binds a pod to a node, as a scheduler does. */
export const bind =
  (storage: Storage): Action =>
  ({ target }, body, dryRun) => {
    const current = read(storage, target);
    const node = textOf(body, 'target', 'name');
    const spec = fieldsOf(current.object, 'spec');
    if (node === '') throw badRequest('target.name is required');
    if (textOf(spec, 'nodeName') !== '') {
      throw conflict(
        { ...target.kind, plural: 'pods/binding' },
        target.name,
        `pod ${target.name} is already assigned to node ${JSON.stringify(spec.nodeName)}`,
      );
    }
    const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timestamp() };
    const status = fieldsOf(current.object, 'status');
    const others = listOf(status, 'conditions').filter((condition) => textOf(condition, 'type') !== 'PodScheduled');
    const { metadata } = current.object;
    const labels = { ...metadata.labels, ...placeOf(storage, node) };
    const object: KubeObject = {
      ...current.object,
      metadata: Object.keys(labels).length === 0 ? metadata : { ...metadata, labels },
      spec: { ...spec, nodeName: node },
      status: { ...status, conditions: [...others, scheduled] },
    };
    if (!dryRun) storage.put('pods', current.key, object);
    return DONE;
  };

const PLACES = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/** Where a node is, which its pods are told by labels (the PodTopologyLabels admission). */
function placeOf(storage: Storage, node: string): Record<string, string> {
  const labels = storage.collection('nodes').items.get(node)?.object.metadata.labels ?? {};
  return Object.fromEntries(Object.entries(labels).filter(([key]) => PLACES.includes(key)));
}

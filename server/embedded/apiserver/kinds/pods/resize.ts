import { type Cause, forbidden, invalidValue } from '../../core/causes';
import type { DraftObject } from '../../core/decode';
import { deepEqual, type Fields, fieldsOf, isFields, type KubeObject, listOf, textOf } from '../../core/objects';
import { defaultResources } from './defaults';
import { qosClassOf } from './qos-class';
import { validatePodSpec } from './template';

/** Lists of containers whose sizes a resize may be about. */
const LISTS = ['containers', 'initContainers'] as const;
type List = (typeof LISTS)[number];

const namesOf = (object: object, list: List) =>
  listOf(object, 'spec', list).map((container) => textOf(container, 'name'));

/** The pod with the sizes of a draft, everything else of which is overlooked; as drafted where it has other containers. */
export function resized(draft: DraftObject, old: KubeObject): KubeObject {
  const spec = fieldsOf(old, 'spec');
  if (LISTS.some((list) => !deepEqual(namesOf(draft, list), namesOf(old, list))))
    return { ...old, spec: fieldsOf(draft, 'spec') };
  const sized = LISTS.filter((list) => spec[list] !== undefined).map((list) => {
    const wanted = listOf(draft, 'spec', list);
    return [list, listOf(spec, list).map((container, index) => withSize(container, wanted[index]))];
  });
  return { ...old, spec: { ...spec, ...Object.fromEntries(sized) } };
}

function withSize(container: unknown, wanted: unknown): unknown {
  if (!isFields(container)) return container;
  const { resizePolicy: _before, ...rest } = container;
  const { resizePolicy } = fieldsOf({ wanted }, 'wanted');
  const resources = defaultResources(fieldsOf(wanted, 'resources'));
  return { ...rest, resources, ...(resizePolicy === undefined ? {} : { resizePolicy }) };
}

/** The refusals of kube-apiserver: `old` is the pod as it runs. */
export function validateResize(object: KubeObject, old: KubeObject, causes: Cause[]): void {
  const [spec, before] = [fieldsOf(object, 'spec'), fieldsOf(old, 'spec')];
  const moved = LISTS.filter((list) => !deepEqual(namesOf(object, list), namesOf(old, list)));
  if (moved.length > 0) {
    for (const list of moved) tellMoved(list, namesOf(object, list), namesOf(old, list), causes);
    return;
  }
  validatePodSpec(spec, 'spec', [], causes);
  if (!canResize(old)) causes.push(forbidden('spec', 'Pod running on node without support for resize'));
  for (const list of LISTS) {
    listOf(spec, list).forEach((container, index) => {
      tellRemoved(container, listOf(before, list)[index], `spec.${list}[${index}].resources`, causes);
    });
  }
  if (qosClassOf(spec) !== qosClassOf(before)) {
    const qosClass = textOf(object, 'status', 'qosClass');
    causes.push(invalidValue('spec', qosClass, 'Pod QOS Class may not change as a result of resizing'));
  }
  if (
    !deepEqual(
      LISTS.map((list) => unsized(spec, list)),
      LISTS.map((list) => unsized(before, list)),
    )
  )
    causes.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  if (!deepEqual(initSizes(spec), initSizes(before)))
    causes.push(forbidden('spec', 'resources for non-sidecar init containers are immutable'));
}

function tellMoved(list: List, names: string[], before: string[], causes: Cause[]): void {
  if (names.length !== before.length) {
    causes.push(forbidden(`spec.${list}`, `${list} may not be added or removed on resize`));
    return;
  }
  names.forEach((name, index) => {
    if (name === before[index]) return;
    causes.push(forbidden(`spec.${list}[${index}].name`, 'containers may not be renamed or reordered on resize'));
  });
}

/** The kubelet of a running container must say its size: an older one cannot change it. */
function canResize(pod: KubeObject): boolean {
  const running = listOf(pod, 'status', 'containerStatuses').find((each) => isFields(fieldsOf(each, 'state').running));
  return running === undefined || isFields(fieldsOf({ running }, 'running').resources);
}

function tellRemoved(container: unknown, before: unknown, path: string, causes: Cause[]): void {
  for (const list of ['limits', 'requests'] as const) {
    const kept = fieldsOf(container, 'resources', list);
    if (Object.keys(fieldsOf(before, 'resources', list)).every((name) => kept[name] !== undefined)) continue;
    causes.push(forbidden(`${path}.${list}`, `resource ${list} cannot be removed`));
  }
}

/** Containers without the cpu and memory that they ask for. */
function unsized(spec: Fields, list: List): unknown[] {
  return listOf(spec, list).map((container) => {
    const { resources, ...rest } = fieldsOf({ container }, 'container');
    const others = ['limits', 'requests'].map((field) => {
      const { cpu: _cpu, memory: _memory, ...other } = fieldsOf({ resources }, 'resources', field);
      return other;
    });
    return { ...rest, others, claims: fieldsOf({ resources }, 'resources').claims };
  });
}

const initSizes = (spec: Fields) =>
  listOf(spec, 'initContainers')
    .filter((container) => textOf(container, 'restartPolicy') !== 'Always')
    .map((container) => fieldsOf(container, 'resources'));

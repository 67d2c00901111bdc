import { isBinary, parseQuantity } from '../../quantity';
import { type Fields, fieldsOf, type KubeObject, listOf, textOf } from '../core/objects';
import { qosClassOf } from './pods/qos-class';

/** How much of each resource is used, by the names that a quota has for it. */
export type Usage = Map<string, { amount: number; binary: boolean }>;

/** Core kinds that a quota may also name without `count/`. */
const BARE = ['configmaps', 'persistentvolumeclaims', 'pods', 'resourcequotas', 'secrets'];
/** What every container must say it uses, where a quota is about it (the pod evaluator's compute resources). */
const COMPUTE = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

/** The kinds (`<plural>.<group>`) whose objects use something of a quota with these resources. */
export function countedIds(resources: readonly string[]): Set<string> {
  const counted = resources.filter((name) => name.startsWith('count/')).map((name) => name.slice('count/'.length));
  // These two are also measured, by names of their own.
  return new Set(['pods', 'persistentvolumeclaims', ...counted, ...BARE.filter((id) => resources.includes(id))]);
}

/** Adds to a usage; what was nothing so far is written as what is added. */
export function add(total: Usage, more: Usage): void {
  for (const [name, { amount, binary }] of more) {
    const before = total.get(name);
    if (before === undefined || before.amount === 0) total.set(name, { amount, binary });
    else total.set(name, { ...before, amount: before.amount + amount });
  }
}

/** What an object of a kind (`<plural>.<group>`) uses. */
export function usageOf(id: string, object: KubeObject): Usage {
  const one = { amount: 1, binary: false };
  const usage: Usage = new Map([[`count/${id}`, one]]);
  // A pod that is over uses nothing but its place in the storage.
  if (id === 'pods' && isOver(object)) return usage;
  if (BARE.includes(id)) usage.set(id, one);
  if (id === 'pods') addCompute(usage, fieldsOf(object, 'spec'));
  if (id === 'persistentvolumeclaims') {
    add(
      usage,
      amountsOf(fieldsOf(object, 'spec', 'resources', 'requests'), (name) => [`requests.${name}`]),
    );
  }
  return usage;
}

const isOver = (pod: KubeObject) => ['Succeeded', 'Failed'].includes(textOf(pod, 'status', 'phase'));

function amountsOf(amounts: Fields, names: (resource: string) => string[]): Usage {
  const usage: Usage = new Map();
  for (const [resource, quantity] of Object.entries(amounts)) {
    const amount = { amount: parseQuantity(quantity) ?? 0, binary: isBinary(quantity) };
    for (const name of names(resource)) usage.set(name, amount);
  }
  return usage;
}

const isSidecar = (container: unknown) => textOf(container, 'restartPolicy') === 'Always';

/** The containers of a pod together, or an init container that needs more while it runs beside the sidecars before it. */
function addCompute(usage: Usage, spec: Fields): void {
  for (const [list, names] of [
    ['requests', (name: string) => [name, `requests.${name}`]],
    ['limits', (name: string) => [`limits.${name}`]],
  ] as const) {
    const of = (container: unknown) => amountsOf(fieldsOf(container, 'resources', list), names);
    const peak: Usage = new Map();
    const together: Usage = new Map();
    for (const init of listOf(spec, 'initContainers')) {
      const running: Usage = new Map(together);
      add(running, of(init));
      raise(peak, running);
      if (isSidecar(init)) add(together, of(init));
    }
    for (const container of listOf(spec, 'containers')) add(together, of(container));
    raise(peak, together);
    add(peak, amountsOf(fieldsOf(spec, 'overhead'), names));
    add(usage, peak);
  }
}

function raise(most: Usage, other: Usage): void {
  for (const [name, value] of other) if (value.amount >= (most.get(name)?.amount ?? 0)) most.set(name, value);
}

/** What the containers of a pod do not say and would have to: `limits.cpu for: a,b; requests.cpu for: a`. */
export function missingOf(object: KubeObject, hard: readonly string[]): string {
  if (object.kind !== 'Pod') return '';
  const containers = [...listOf(object, 'spec', 'containers'), ...listOf(object, 'spec', 'initContainers')];
  return COMPUTE.filter((name) => hard.includes(name))
    .map((name) => {
      const [list, resource] = name.includes('.') ? name.split('.') : ['requests', name];
      const silent = containers.filter((each) => fieldsOf(each, 'resources', list ?? '')[resource ?? ''] === undefined);
      return silent.length === 0
        ? ''
        : `${name} for: ${silent
            .map((each) => textOf(each, 'name'))
            .sort()
            .join(',')}`;
    })
    .filter((text) => text !== '')
    .join('; ');
}

/** Whether an object is one of those that a quota is about; scopes are about pods alone. */
export function isInScope(quota: KubeObject, object: KubeObject): boolean {
  const selected = listOf(quota, 'spec', 'scopeSelector', 'matchExpressions').map((term) => textOf(term, 'scopeName'));
  const scopes = [...listOf(quota, 'spec', 'scopes'), ...selected];
  if (object.kind !== 'Pod') return scopes.length === 0;
  const isBestEffort = qosClassOf(fieldsOf(object, 'spec')) === 'BestEffort';
  const isTerminating = fieldsOf(object, 'spec').activeDeadlineSeconds !== undefined;
  return scopes.every((scope) => {
    switch (scope) {
      case 'BestEffort':
        return isBestEffort;
      case 'NotBestEffort':
        return !isBestEffort;
      case 'Terminating':
        return isTerminating;
      case 'NotTerminating':
        return !isTerminating;
      default:
        return false;
    }
  });
}

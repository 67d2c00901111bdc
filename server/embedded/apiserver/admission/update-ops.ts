import { type Cause, forbidden, invalidValue, required } from '../core/causes';
import { at, deepEqual, fieldsOf, isFields, type KubeObject, listOf, textOf } from '../core/objects';
import type { Storage } from '../core/storage';
import { refuse, validateBudget } from './sandbox-set';

const WEBHOOK = 'v-suo.kb.io';

/**
 * The webhook reads a cache that is this far behind, so that of operations created at once all are accepted (T7;
 * recordings/second-update-race).
 */
const CACHE_LAG_MS = 100;

/** When which operations of a server, by namespace and name, were accepted: those of just now. */
const accepted = new WeakMap<object, Map<string, number>>();

function acceptedBy(server: object): Map<string, number> {
  const known = accepted.get(server) ?? new Map<string, number>();
  accepted.set(server, known);
  return known;
}

/** The storage shows what one server has at the moment; what that server has just accepted is remembered beyond it. */
export const isViewOf = (storage: Storage, server: object): void => void accepted.set(storage, acceptedBy(server));

/** `v-suo.kb.io`: what a SandboxUpdateOps must have, one active per namespace, and what may not change afterwards. */
export function validateUpdateOps(object: KubeObject, old: KubeObject | undefined, storage: Storage): void {
  const causes: Cause[] = [];
  if (old !== undefined) {
    for (const field of ['selector', 'patch', 'lifecycle']) {
      if (!deepEqual(at(object, ['spec', field]), at(old, ['spec', field]))) {
        causes.push(forbidden(`spec.${field}`, `${field} is immutable`));
      }
    }
    validateBudget(object, 'updateStrategy', causes);
    refuse(WEBHOOK, causes);
    return;
  }
  validateSelector(object, causes);
  validateBudget(object, 'updateStrategy', causes);
  validateHooks(object, causes);
  validateImages(object, causes);
  if (causes.length === 0) {
    const active = activeIn(storage, object.metadata.namespace ?? '');
    if (active !== undefined) {
      causes.push(forbidden('spec', `there is an active SandboxUpdateOps in the same namespace: ${active}`));
    } else acceptedBy(storage).set(keyOf(object), performance.now());
  }
  refuse(WEBHOOK, causes);
}

function validateSelector(object: KubeObject, causes: Cause[]): void {
  const selector = fieldsOf(object, 'spec', 'selector');
  for (const expression of listOf(selector, 'matchExpressions')) {
    const operator = textOf(expression, 'operator');
    const count = listOf(expression, 'values').length;
    let problem = '';
    if (!['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)) {
      problem = `${JSON.stringify(operator)} is not a valid label selector operator`;
    } else if (operator.endsWith('In') && count === 0) {
      problem = "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty";
    } else if (operator.endsWith('Exist') || operator === 'Exists') {
      if (count > 0) problem = 'values: Invalid value: values set must be empty for exists and does not exist';
    }
    if (problem !== '') causes.push(invalidValue('spec.selector', selector, problem));
  }
}

function validateHooks(object: KubeObject, causes: Cause[]): void {
  const lifecycle = fieldsOf(object, 'spec', 'lifecycle');
  for (const hook of ['preUpgrade', 'postUpgrade']) {
    if (isFields(lifecycle[hook]) && lifecycle[hook].exec === undefined) {
      causes.push(required(`spec.lifecycle.${hook}.exec`, `exec is required when ${hook} is specified`));
    }
  }
}

/** A checkpoint holds the old image's file system, so this strategy cannot change images; the first one is told. */
function validateImages(object: KubeObject, causes: Cause[]): void {
  if (at(object, ['spec', 'updateStrategy', 'type']) !== 'CheckpointRestore') return;
  const spec = fieldsOf(object, 'spec', 'patch', 'spec');
  for (const [list, what] of [
    ['containers', 'container images'],
    ['initContainers', 'init container images'],
  ] as const) {
    const first = listOf(spec, list).find((container) => textOf(container, 'image') !== '');
    if (first === undefined) continue;
    const name = JSON.stringify(textOf(first, 'name'));
    const why = `CheckpointRestore strategy does not support modifying ${what} (container ${name})`;
    causes.push(forbidden('spec.patch', why));
    return;
  }
}

const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace}/${metadata.name}`;

function activeIn(storage: Storage, namespace: string): string | undefined {
  const justAccepted = acceptedBy(storage);
  for (const [key, at] of justAccepted) if (performance.now() - at > CACHE_LAG_MS) justAccepted.delete(key);
  for (const { object } of storage.collection('sandboxupdateops.agents.kruise.io').items.values()) {
    const phase = textOf(object, 'status', 'phase');
    if (object.metadata.namespace !== namespace || phase === 'Completed' || phase === 'Failed') continue;
    if (!justAccepted.has(keyOf(object))) return object.metadata.name;
  }
  return undefined;
}

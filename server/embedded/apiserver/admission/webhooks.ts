import type { AdmissionPlugin } from '../core/admission';
import { idOf, type KindDefinition } from '../core/kind-definition';
import type { KubeObject } from '../core/objects';
import type { Principal } from '../core/principal';
import { StatusError } from '../core/status';
import type { Storage } from '../core/storage';
import { mutatePoolTemplate, mutateSandboxSet } from './mutate';
import { protectPod } from './pod-protection';
import { validateSandboxSet, validateSandboxTemplate } from './sandbox-set';
import { validateUpdateOps } from './update-ops';

/** What of a kind the rules go by. */
type Ruled = Pick<KindDefinition, 'group' | 'plural'>;

/** The webhooks that OpenKruise Agents installs, by the kind they see (openkruise/agents `pkg/webhook`, 0b72c83a). */
const MUTATING: Record<string, (object: KubeObject, old: KubeObject | undefined) => KubeObject> = {
  'sandboxsets.agents.kruise.io': mutateSandboxSet,
  'sandboxtemplates.agents.kruise.io': (object, old) => (old === undefined ? mutatePoolTemplate(object) : object),
};

const VALIDATING: Record<string, (object: KubeObject, old: KubeObject | undefined, storage: Storage) => void> = {
  'sandboxsets.agents.kruise.io': validateSandboxSet,
  'sandboxtemplates.agents.kruise.io': (object, old) => {
    if (old === undefined) validateSandboxTemplate(object);
  },
  'sandboxupdateops.agents.kruise.io': validateUpdateOps,
};

/** Which webhook an API server calls first for a write, and the path it answers at. It fails the write when it is away. */
const CALLED_FIRST: Record<string, { name: string; path: string; onUpdate: boolean }> = {
  'sandboxsets.agents.kruise.io': { name: 'md-sbs.kb.io', path: 'default-sandboxset', onUpdate: true },
  'sandboxtemplates.agents.kruise.io': { name: 'md-sbt.kb.io', path: 'default-sandboxtemplate', onUpdate: false },
  'sandboxupdateops.agents.kruise.io': { name: 'v-suo.kb.io', path: 'validate-sandboxupdateops', onUpdate: true },
};

/** The kinds that a webhook looks at. */
export const WEBHOOK_KINDS: readonly string[] = [...Object.keys(CALLED_FIRST), 'pods'];

/** By the storage of a server: the kinds whose webhooks it cannot reach. */
const unreachable = new WeakMap<Storage, ReadonlySet<string>>();

/** `away` is true for all of them, or names the kinds of those that are. */
export function setWebhooksAway(storage: Storage, away: boolean | readonly string[]): void {
  unreachable.set(storage, new Set(away === true ? WEBHOOK_KINDS : away === false ? [] : away));
}

const isAway = (storage: Storage, kind: Ruled): boolean => unreachable.get(storage)?.has(idOf(kind)) === true;

function requireWebhook(kind: Ruled, old: KubeObject | undefined): void {
  const called = CALLED_FIRST[idOf(kind)];
  if (called === undefined || (old !== undefined && !called.onUpdate)) return;
  const address = '127.0.0.1:9443';
  const why = `failed calling webhook ${JSON.stringify(called.name)}: failed to call webhook: Post "https://${address}/${called.path}?timeout=10s": dial tcp ${address}: connect: connection refused`;
  throw new StatusError(500, `Internal error occurred: ${why}`, 'InternalError', { causes: [{ message: why }] });
}

/** Defaults by webhook; comes before validation. */
export function mutate(kind: Ruled, object: KubeObject, old: KubeObject | undefined, storage: Storage): KubeObject {
  if (isAway(storage, kind)) {
    requireWebhook(kind, old);
    return object;
  }
  return MUTATING[idOf(kind)]?.(object, old) ?? object;
}

/** Refusals by webhook; comes after validation. Throws a StatusError. */
export function admit(kind: Ruled, object: KubeObject, old: KubeObject | undefined, storage: Storage): void {
  if (!isAway(storage, kind)) VALIDATING[idOf(kind)]?.(object, old, storage);
}

/** Refusals of a delete by webhook. Throws a StatusError. */
function admitDelete(kind: Ruled, object: KubeObject, caller: Principal, storage: Storage): void {
  // A protection that is away is no protection (failurePolicy Ignore).
  if (idOf(kind) === 'pods' && !isAway(storage, kind)) protectPod('v-pod-delete.kb.io', object, caller, storage);
}

/** Refusals of an eviction by webhook. Throws a StatusError. */
export function admitEviction(kind: Ruled, pod: KubeObject, caller: Principal, storage: Storage): void {
  if (!isAway(storage, kind)) protectPod('v-pod-eviction.kb.io', pod, caller, storage);
}

/** The webhooks as a step of every write, in the process of the server. */
export const webhooks = (storage: Storage): AdmissionPlugin => ({
  mutate: (kind, object, old) => mutate(kind, object, old, storage),
  validate: (kind, object, old) => admit(kind, object, old, storage),
  remove: (kind, object, caller) => admitDelete(kind, object, caller, storage),
});

import type { KindDefinition } from './kind-definition';
import type { KubeObject } from './objects';
import type { Principal } from './principal';
import type { Target } from './reads';
import type { ResourceRequest } from './requests';
import type { Storage } from './storage';

/** A rule that writes pass besides those of their kind. Every part throws a StatusError to refuse. */
export interface AdmissionPlugin {
  /** Looks at what is to be written before anything else does. */
  check?(caller: Principal, target: Target, draft: object): void;
  /** Changes what is to be written; comes before validation. `old` is the stored object of an update. */
  mutate?(kind: KindDefinition, object: KubeObject, old: KubeObject | undefined): KubeObject;
  /** Comes after validation. */
  validate?(kind: KindDefinition, object: KubeObject, old: KubeObject | undefined): void;
  /** Looks at an object that is to be deleted. */
  remove?(kind: KindDefinition, object: KubeObject, caller: Principal): void;
  /** Is told that a request may have changed objects of a namespace. */
  written?(namespace: string): void;
}

/** Answers a POST to a subresource that is no part of an object; returns the body of the 201. */
export type Action = (request: ResourceRequest, body: unknown, dryRun: boolean) => object;

/** What requests for objects go by: the data, and the rules that are handed in. */
export interface Cluster {
  storage: Storage;
  /** In the order in which they are asked. */
  admission: readonly AdmissionPlugin[];
  /** By `<plural>/<subresource>`. */
  actions: Readonly<Record<string, Action>>;
}

/** The object as the plugins change it. */
export function mutate(
  { admission }: Cluster,
  kind: KindDefinition,
  object: KubeObject,
  old: KubeObject | undefined,
): KubeObject {
  return admission.reduce((changed, plugin) => plugin.mutate?.(kind, changed, old) ?? changed, object);
}

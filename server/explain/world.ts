import { z } from 'zod';
import { kubeObject } from '@/lib/contracts/objects';
import { record } from '@/lib/domain/read';
import type { ObservedState } from '@/lib/domain/sandbox-state';

/** Kinds that take part in a verdict, by the plural that recordings name them with. */
export const kinds = {
  sandboxes: 'Sandbox',
  pods: 'Pod',
  events: 'Event',
  nodes: 'Node',
  sandboxsets: 'SandboxSet',
  sandboxupdateops: 'SandboxUpdateOps',
  sandboxclaims: 'SandboxClaim',
  sandboxtemplates: 'SandboxTemplate',
  checkpoints: 'Checkpoint',
  poolautoscalers: 'PoolAutoscaler',
} as const;
export type Plural = keyof typeof kinds;
export const plurals = Object.keys(kinds) as Plural[];

/** An object as files have it: a name is all that it must have. */
const fileObject = z.looseObject({
  kind: z.string().optional(),
  metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().nullish(), uid: z.string().nullish() }),
});

/** A Kubernetes object with what its readers need: fields that are null are left out, a missing uid is its name. */
export function readObject(value: unknown): z.infer<typeof kubeObject> | undefined {
  const read = fileObject.safeParse(value);
  if (!read.success) return undefined;
  const { metadata } = read.data;
  const given = Object.fromEntries(Object.entries(metadata).filter(([, field]) => field !== null));
  for (const key of ['labels', 'annotations']) if (given[key] !== undefined) given[key] = texts(given[key]);
  const uid = metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`;
  const object = kubeObject.safeParse({ ...read.data, metadata: { ...given, uid } });
  return object.success ? object.data : undefined;
}
/** Written by hand, a value may be a number or a switch; the API server would have refused it. */
function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(record(value)).map(([key, each]) => [key, String(each)]));
}

export type WorldObject = z.infer<typeof kubeObject>;

/** The objects of a cluster at one moment, by kind and `namespace/name`. */
export interface World {
  objects: Record<Plural, Map<string, WorldObject>>;
  /** Kinds of which all objects are there: one that is not, does not exist. */
  complete: ReadonlySet<Plural>;
  /** When a watcher first saw a sandbox in its present state; files have no watcher. */
  observed: ReadonlyMap<string, ObservedState>;
  /** When a watcher saw an object change last, by uid; when a pool fell short, and when it was scaled. */
  changed: ReadonlyMap<string, number>;
  below: ReadonlyMap<string, number>;
  scaled: ReadonlyMap<string, number>;
  /** Epoch ms. */
  now: number;
  /** Milliseconds that the clock of the objects is ahead of `now`. */
  skew: number;
}

export const keyOf = ({ metadata }: WorldObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

export function noObjects(): World['objects'] {
  return Object.fromEntries(plurals.map((plural) => [plural, new Map<string, WorldObject>()])) as World['objects'];
}

/**
 * What the rules read of a Sandbox and of its Pod: flat, typed, and small enough to keep one per Pod.
 * diagnosis/read-*.ts turn Kubernetes objects into these; everything absent means "the object does not say".
 */

export interface ConditionFact {
  /** "True", "False", "Unknown", or what a newer controller writes. */
  status: string;
  reason?: string;
  message?: string;
  /** lastTransitionTime, epoch ms. Moves only when `status` flips (domain 4.2). */
  at?: number;
}

export interface SandboxFacts {
  uid: string;
  /** status.phase as written; '' when there is none. */
  phase: string;
  /** spec.paused is true. */
  paused: boolean;
  /** Controlled by a SandboxSet: an idle pool member. */
  idle: boolean;
  claimed: boolean;
  locked: boolean;
  generation?: number;
  observed?: number;
  /** metadata.creationTimestamp and deletionTimestamp, epoch ms. */
  created?: number;
  deleting?: number;
  claimedAt?: number;
  finalizers: readonly string[];
  /** Neither spec.template nor spec.templateRef: the controller ignores it (domain 4.1). */
  noTemplate?: true;
  /** status.message: the controller writes it with Failed and Succeeded only. */
  message?: string;
  /** By condition type. */
  conditions: Readonly<Record<string, ConditionFact | undefined>>;
}

export interface WaitingFact {
  container: string;
  init: boolean;
  reason: string;
  message?: string;
  /** The image that the spec names, while it waits for one. */
  image?: string;
}

export interface ImagePair {
  container: string;
  spec: string;
  /** status.initContainerStatuses[].image; absent when there is no status entry yet. */
  status?: string;
}

export interface PodDigest {
  uid: string;
  ns: string;
  name: string;
  phase: string;
  /** status.reason: Evicted, NodeLost, … */
  reason?: string;
  node?: string;
  ip?: string;
  created?: number;
  deleting?: number;
  finalizers?: string[];
  /** uid of the controlling owner; a Pod of another uid is not this sandbox's (domain 4.3). */
  ownerUid?: string;
  /** Condition Ready. */
  ready?: boolean;
  scheduled?: boolean;
  /** When it was scheduled (condition PodScheduled), and when its first main container started; epoch ms. */
  scheduledAt?: number;
  startedAt?: number;
  /** Message of PodScheduled=False. */
  unschedulable?: string;
  /** First container that waits: init containers first, in the Pod's order. */
  waiting?: WaitingFact;
  /** Restarts of all containers, sidecars included. */
  restarts: number;
  /** Init containers whose image is pinned by digest. */
  pinned?: string[];
  /** Init containers whose reported image is absent or differs after normalisation (domain 4.5). */
  initImages?: ImagePair[];
}

export function conditionOf(facts: SandboxFacts, type: string): ConditionFact | undefined {
  return Object.hasOwn(facts.conditions, type) ? facts.conditions[type] : undefined;
}

export function isTrue(condition: ConditionFact | undefined): boolean {
  return condition?.status === 'True';
}

export function isFalse(condition: ConditionFact | undefined): boolean {
  return condition?.status === 'False';
}

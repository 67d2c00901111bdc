import type { EventRow, KubeObject } from '@/lib/contracts/objects';
import type { DisplayState, NodeRow, PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { type ConditionFact, conditionOf, type PodDigest, type SandboxFacts } from '../facts';
import { displayStateOf } from '../sandbox-state';
import { said, saidTime } from './rule';
import type { Evidence } from './verdict';

export type NodeFact = Pick<NodeRow, 'name' | 'ready' | 'cordoned'>;

/** What whole objects and their neighbours tell beyond the facts of a row. Absent: not known, which is not "none". */
export interface Surroundings {
  sandbox: KubeObject;
  ns: string;
  name: string;
  pod?: KubeObject;
  /** Of the sandbox, newest first. */
  events?: readonly EventRow[];
  /** The pool it belongs to, or came from. */
  pool?: PoolRow;
  /** The SandboxTemplate that its spec.templateRef names; null: there is none. */
  template?: KubeObject | null;
  /** Of its namespace. */
  operations?: readonly UpgradeRow[];
  /** Of its namespace. */
  checkpoints?: readonly KubeObject[];
  /** Sandboxes of its pool, itself included. */
  siblings?: readonly SandboxRow[];
  /** Epoch ms of the cluster's clock. */
  now: number;
}

/** What the rules about one sandbox look at. A row has facts, Pod and node; a verdict has everything that is known. */
export interface SandboxScene {
  facts: SandboxFacts;
  state: DisplayState;
  /** The Pod of the same name, also one of an earlier owner. */
  pod?: PodDigest;
  /** Nobody looked for a Pod: rules about it are silent. */
  podUnknown?: true;
  /** The Pod's. */
  node?: NodeFact;
  /** The operation that its label names has spec.paused. */
  operationPaused?: true;
  /** Name of the SandboxTemplate that it refers to, and that does not exist. */
  templateMissing?: string;
  more?: Surroundings;
}

export function sceneOf(facts: SandboxFacts, pod: PodDigest | undefined, node?: NodeFact): SandboxScene {
  const scene: SandboxScene = { facts, state: displayStateOf(facts) };
  if (pod) scene.pod = pod;
  if (node) scene.node = node;
  return scene;
}

export const condition = (scene: SandboxScene, type: string): ConditionFact | undefined =>
  conditionOf(scene.facts, type);

/** Reason of the condition Upgrading while the sandbox is in that phase. */
export const upgradeReason = (scene: SandboxScene): string | undefined =>
  scene.facts.phase === 'Upgrading' ? condition(scene, 'Upgrading')?.reason : undefined;

/** The controller has not looked at the newest spec; setting deletionTimestamp increments the generation too (T21). */
export const lags = ({ facts }: SandboxScene): boolean =>
  facts.deleting === undefined && (facts.generation ?? 0) > (facts.observed ?? 0);

/** The controller does nothing with it any more (domain 4.1). */
export const isDead = ({ facts }: SandboxScene): boolean => facts.phase === 'Failed' || facts.phase === 'Succeeded';

/** A condition as evidence, by its parts. */
export function saidCondition(scene: SandboxScene, type: string): (Evidence | undefined)[] {
  const found = condition(scene, type);
  const path = `Sandbox status.conditions[${type}]`;
  if (!found) return [];
  return [
    said(`${path}.status`, found.status),
    said(`${path}.reason`, found.reason),
    said(`${path}.message`, found.message),
    saidTime(`${path}.lastTransitionTime`, found.at),
  ];
}

/** Woken and on its way: until that ends the controller does not look at spec.paused (recorded `resume-stuck-digest-init-container`). */
export const isWaking = (scene: SandboxScene): boolean =>
  scene.state === 'Resuming' || upgradeReason(scene) === 'Resuming';

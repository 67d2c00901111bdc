import type { EventRow, KubeObject } from '@/lib/contracts/objects';
import type { PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { LimitsInForce } from '../limits';
import { templateRefOf } from '../sandbox-asks';
import type { ObservedState } from '../sandbox-state';
import { stageOf } from '../sandbox-state';
import { sinceAt, timed } from './clock';
import { type Gate, gatesOf, heldAt } from './gates';
import { unknownValues } from './known';
import { passedEvidence } from './passed';
import { predictions } from './predict';
import { digestPod } from './read-pod';
import { readFacts } from './read-sandbox';
import { findingOf, present, type Rule, said } from './rule';
import { ownCheckpointNotTaken } from './rules/checkpoint';
import { comparedImages } from './rules/images';
import * as leftovers from './rules/leftovers';
import * as lives from './rules/lives';
import { pastShutdown } from './rules/lives';
import { hookWithoutRuntime, orphanedUpgrade } from './rules/upgrade';
import { type NodeFact, type SandboxScene, type Surroundings, sceneOf } from './scene';
import type { Evidence, Finding, GateResult, Verdict } from './verdict';

/** What a verdict on one sandbox is made from. Absent is "not known"; only `pod` has a "there is none", which is null. */
export interface DiagnoseInput {
  sandbox: KubeObject;
  /** The Pod of the same name. */
  pod?: KubeObject | null;
  /** Of the sandbox, newest first. */
  events?: readonly EventRow[];
  /** The Pod's. */
  node?: NodeFact;
  pool?: PoolRow;
  /** The SandboxTemplate that its spec.templateRef names; null: there is none. */
  template?: KubeObject | null;
  operations?: readonly UpgradeRow[];
  checkpoints?: readonly KubeObject[];
  /** Sandboxes of its pool, itself included. */
  siblings?: readonly SandboxRow[];
  /** When a watcher first saw it in its present state, by the clock of `now`. */
  observed?: ObservedState;
  /** Epoch ms. */
  now: number;
  limits: LimitsInForce;
  /** Milliseconds that the clock of the cluster is ahead of that of `now`. */
  clockSkew?: number;
}

/** What holds nothing up, in the order in which it is told. */
export const hintRules: readonly Rule<SandboxScene>[] = [
  ...predictions,
  orphanedUpgrade,
  hookWithoutRuntime,
  ownCheckpointNotTaken,
  ...Object.values(lives),
  ...Object.values(leftovers),
];

/** The verdict on a sandbox: state, clock, gates, cause, ways out. Pure; never throws for what an object may hold. */
export function diagnose(input: DiagnoseInput): Verdict {
  const { sandbox, now, clockSkew = 0, limits } = input;
  const scene = sceneFrom(input);
  const { facts, state } = scene;
  const held = heldAt(scene);
  const found = held && findingOf(held.rule, scene);
  const reserved = sandbox.metadata.labels?.['agents.kruise.io/reserved-failed-sandbox'] === 'true';
  const times = timed(scene, sinceAt(scene, input.observed, clockSkew), found?.never ?? false, reserved, now, limits);
  // What is the normal way is wrong once it lasts longer than its state may.
  const kind = found?.kind === 'wait' && times.severity !== 'calm' ? 'fault' : found?.kind;
  const expired = !found && times.severity !== 'calm' && pastShutdown.applies(scene);
  const cause: Finding | undefined = expired
    ? { ...findingOf(pastShutdown, scene), kind: 'fault' }
    : found && kind && { ...found, kind, evidence: [...found.evidence, ...present(saidSiblings(scene, found.code))] };
  const stage = stageOf(facts);
  return {
    subject: subjectOf(sandbox, facts.uid),
    state,
    ...(stage === undefined ? {} : { stage }),
    ...times,
    gates: gateResults(scene, cause),
    ...(cause ? { cause } : {}),
    hints: hintRules
      .filter((rule) => rule.code !== cause?.code && rule.applies(scene))
      .map((rule) => findingOf(rule, scene)),
    checked: [...new Set([...gatesOf(scene).flatMap(({ rules }) => rules), ...hintRules].map(({ code }) => code))],
    missing: missingOf(input),
    unknown: unknownValues(facts),
  };
}

/** How many of its pool hang for the same reason, and how many of those on the same node. */
function saidSiblings({ pod, more }: SandboxScene, code: string): (Evidence | undefined)[] {
  const same = more?.siblings?.filter(({ cause }) => cause?.code === code) ?? [];
  if (same.length < 2) return [];
  const here = pod?.node === undefined ? [] : same.filter(({ node }) => node === pod.node);
  return [
    said('counted: sandboxes of its pool with this cause', same.length),
    said(`counted: of them on ${pod?.node}`, here.length || undefined),
  ];
}

function subjectOf({ metadata }: KubeObject, uid: string): Verdict['subject'] {
  return { kind: 'Sandbox', ns: metadata.namespace ?? '', name: metadata.name, uid };
}

function sceneFrom(input: DiagnoseInput): SandboxScene {
  const { sandbox, pod, node, now, clockSkew = 0, observed: _, limits: __, ...known } = input;
  const facts = readFacts(sandbox);
  // kubeObject, the schema of what comes here, demands a name.
  if (!facts) throw new TypeError('a Sandbox without a name');
  const more: Surroundings = {
    ...known,
    sandbox,
    ns: sandbox.metadata.namespace ?? '',
    name: sandbox.metadata.name,
    now: now + clockSkew,
    ...(pod ? { pod } : {}),
  };
  const scene: SandboxScene = { ...sceneOf(facts, digestPod(pod), node), more };
  const templateMissing = input.template === null ? templateRefOf(sandbox) : undefined;
  return {
    ...scene,
    ...(pod === undefined ? { podUnknown: true } : {}),
    ...(templateMissing === undefined ? {} : { templateMissing }),
  };
}

function gateResults(scene: SandboxScene, cause: Finding | undefined): GateResult[] {
  const held = heldAt(scene)?.gate;
  const gates = gatesOf(scene);
  const last = held ? gates.indexOf(held) : gates.length;
  return gates.map((gate, index) => {
    const outcome = outcomeOf(scene, gate, index, last, cause);
    return {
      code: gate.code,
      outcome,
      evidence: index === last ? (cause?.evidence ?? []) : outcome === 'passed' ? passedEvidence(scene, gate.code) : [],
      compared: gate.images && index <= last ? comparedImages(scene.more?.pod) : [],
    };
  });
}

function outcomeOf(
  scene: SandboxScene,
  gate: Gate,
  index: number,
  last: number,
  cause: Finding | undefined,
): GateResult['outcome'] {
  if (index === last) return cause?.kind === 'wait' ? 'waiting' : 'failed';
  if (index > last || gate.ahead) return 'notReached';
  if (scene.podUnknown && (gate.ofPod || gate.code === 'Written')) return 'unknown';
  return 'passed';
}

function missingOf(input: DiagnoseInput): string[] {
  const given: [string, unknown][] = [
    ['Pod', input.pod],
    ['Events', input.events],
    ['Node', input.pod ? input.node : null],
    ['SandboxUpdateOps', input.operations],
    ['SandboxTemplate', templateRefOf(input.sandbox) === undefined ? null : input.template],
  ];
  return given.filter(([, value]) => value === undefined).map(([name]) => name);
}

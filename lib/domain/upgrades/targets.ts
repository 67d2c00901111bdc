import type { PatchFault } from '@/lib/contracts/patch-fault';
import type { UpgradeRow } from '@/lib/contracts/rows';
import type {
  LeftOutReason,
  TemplateGroup,
  UpgradePreviewRequest,
  UpgradeTarget,
} from '@/lib/contracts/upgrade-preview';
import type { ChosenSandbox, LabelSelector } from '@/lib/contracts/upgrades';
import { sameJson } from '../json-diff';
import type { Template } from '../templates';
import { lifecycleOf } from './manifest';
import { hasFailed, type SandboxReading } from './sandbox-reading';
import { selectorOf, selects } from './selectors';
import { type Merged, mergeTemplate } from './strategic-merge';
import { templateGroups } from './template-groups';

export type PlanOperation = Pick<UpgradeRow, 'name' | 'phase'>;
export type PlanDraft = Pick<
  UpgradePreviewRequest,
  'targets' | 'states' | 'strategy' | 'preUpgrade' | 'postUpgrade' | 'name'
>;

export interface ClassifyInput {
  /** Of the namespace; those that the selector does not match are not looked at. */
  sandboxes: readonly SandboxReading[];
  operations: readonly PlanOperation[];
  draft: PlanDraft;
  /** Undefined: hooks only. */
  patch: Record<string, unknown> | undefined;
}

export type LeftOut = ChosenSandbox & { reason: LeftOutReason; detail?: string; fault?: PatchFault };

export interface Classified {
  selector: LabelSelector | undefined;
  /** In the controller's order: by name. */
  targets: UpgradeTarget[];
  /** By name. */
  leftOut: LeftOut[];
  /** Of the targets, largest first; secrets are not masked. */
  groups: TemplateGroup[];
  /** Carry the selection label with this operation's name without having been chosen: they would be taken too. */
  strays: ChosenSandbox[];
  /** Of the targets, by uid. */
  readings: ReadonlyMap<string, SandboxReading>;
}

/** What the controller will do with the sandboxes of a namespace (domain 6.2), before there is an operation. */
export function classifyTargets({ sandboxes, operations, draft, patch }: ClassifyInput): Classified {
  const selector = selectorOf(draft.targets, draft.name);
  const readings = [...sandboxes].sort(byName);
  const { looked, gone, strays } = lookedAt(readings, draft, selector);
  const merge = patch && mergerOf(patch);
  const leftOut: LeftOut[] = [...gone];
  const taken: { reading: SandboxReading; after: Template; heldBy?: string }[] = [];
  for (const reading of looked) {
    const verdict = verdictOn(reading, { operations, draft, merge });
    if ('after' in verdict) taken.push({ reading, ...verdict });
    else leftOut.push({ uid: reading.uid, name: reading.name, ...verdict });
  }
  const { groups, groupOf } = templateGroups(taken.map(({ reading, after }) => ({ ...reading, after })));
  return {
    selector,
    targets: taken.map(({ reading, after, heldBy }) => ({
      ...targetOf(reading, after, groupOf.get(reading.uid) ?? '', draft),
      ...(heldBy === undefined ? {} : { heldBy }),
    })),
    leftOut: leftOut.sort(byName),
    groups,
    strays,
    readings: new Map(taken.map(({ reading }) => [reading.uid, reading])),
  };
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function lookedAt(
  readings: readonly SandboxReading[],
  { targets }: PlanDraft,
  selector: LabelSelector | undefined,
): { looked: SandboxReading[]; gone: LeftOut[]; strays: ChosenSandbox[] } {
  const selected = selector ? readings.filter(({ labels }) => selects(selector, labels)) : [];
  if (targets.by !== 'selection') return { looked: selected, gone: [], strays: [] };
  const chosen = new Map(targets.sandboxes.map(({ uid, name }) => [uid, name]));
  const looked = readings.filter(({ uid }) => chosen.has(uid));
  for (const { uid } of looked) chosen.delete(uid);
  const found = new Set(looked.map(({ uid }) => uid));
  return {
    looked,
    gone: [...chosen].map(([uid, name]) => ({ uid, name, reason: 'gone' })),
    strays: selected.filter(({ uid }) => !found.has(uid)).map(({ uid, name }) => ({ uid, name })),
  };
}

type Verdict = { after: Template; heldBy?: string } | { reason: LeftOutReason; detail?: string; fault?: PatchFault };

/** Merges a template once, however many sandboxes have it. */
function mergerOf(patch: Record<string, unknown>): (template: Template) => Merged {
  const known = new Map<string, Merged>();
  const once = (template: Template): Merged => {
    const text = JSON.stringify(template);
    const merged = known.get(text) ?? mergeTemplate(template, patch);
    known.set(text, merged);
    return merged;
  };
  // Sandboxes of a pool differ in what a claim wrote into the metadata: where that stays as it is, specs are merged alone.
  if (Object.keys(patch).some((key) => key !== 'spec')) return once;
  return ({ spec, ...others }) => {
    const merged = once(spec === undefined ? {} : { spec });
    return 'problem' in merged ? merged : { template: { ...others, ...merged.template } };
  };
}

interface Rules {
  operations: readonly PlanOperation[];
  draft: PlanDraft;
  merge: ((template: Template) => Merged) | undefined;
}

function verdictOn(reading: SandboxReading, { operations, draft, merge }: Rules): Verdict {
  const { phase } = reading;
  if (reading.poolMember) return { reason: 'poolMember' };
  if (reading.terminating) return { reason: 'terminating' };
  if (phase === 'Succeeded' || phase === 'Failed') return { reason: 'terminal', detail: phase };
  if (phase !== 'Upgrading' && !draft.states.some((state) => state === phase)) {
    return phase === 'Running' || phase === 'Paused'
      ? { reason: 'stateNotChosen', detail: phase }
      : { reason: 'otherPhase', detail: phase };
  }
  const holder = operations.find(
    (each) => each.name === reading.operation && (each.phase === 'Updating' || each.phase === 'Pending'),
  );
  // Those that were chosen one by one are planned for the time after it: until then its lock keeps the plan from starting.
  if (holder && draft.targets.by !== 'selection') return { reason: 'otherOperation', detail: holder.name };
  const { template } = reading;
  if (template === undefined) return { reason: 'templateRef' };
  const merged = merge ? merge(template) : { template };
  if ('problem' in merged) {
    return { reason: 'unmergeable', fault: merged.problem };
  }
  const same = merge !== undefined && sameJson(template, merged.template);
  if (same && phase !== 'Upgrading' && reading.observed) return { reason: 'upToDate' };
  if (phase === 'Paused' && !(reading.paused && reading.pausedForGood)) return { reason: 'stillPausing' };
  return { after: merged.template, ...(holder ? { heldBy: holder.name } : {}) };
}

function targetOf(reading: SandboxReading, after: Template, group: string, draft: PlanDraft): UpgradeTarget {
  const { uid, name, phase, claimed, owner, node, shutdownAt } = reading;
  const target: UpgradeTarget = { uid, name, group, phase, claimed };
  if (owner !== undefined) target.owner = owner;
  if (node !== undefined) target.node = node;
  if (shutdownAt !== undefined) target.shutdownAt = shutdownAt;
  if ((draft.preUpgrade || draft.postUpgrade) && !reading.runtime) target.noRuntime = true;
  if (isIdenticalRetry(reading, after, draft)) target.identicalRetry = true;
  return target;
}

/** Nothing of the spec would change, so the controller sees the old failure and counts it at once (T43). */
function isIdenticalRetry(reading: SandboxReading, after: Template, draft: PlanDraft): boolean {
  return (
    hasFailed(reading) &&
    reading.observed &&
    reading.policy === draft.strategy &&
    sameJson(reading.template, after) &&
    sameJson(reading.lifecycle, lifecycleOf(draft))
  );
}

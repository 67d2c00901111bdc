import type { KubeObject } from '@/lib/contracts/objects';
import type { DisplayState, PoolRow, SandboxRow } from '@/lib/contracts/rows';
import type { PodDigest, SandboxFacts } from '../facts';
import { compareImages, isDigestPinned } from '../images';
import { list, record, text } from '../read';
import { digestPod } from './read-pod';
import { readFacts } from './read-sandbox';
import { findingOf, type Rule, said } from './rule';
import { comparedImages, retag, retagPatch } from './rules/images';
import { pauseLosesMore } from './rules/lives';
import { type SandboxScene, type Surroundings, sceneOf } from './scene';
import type { Finding } from './verdict';

/** States in which a pause is still to come. */
const pausable: ReadonlySet<string> = new Set(['Available', 'Running', 'NotReady', 'Initialising']);

/** States in which a resume is still to come. */
const asleep: ReadonlySet<DisplayState> = new Set(['Paused', 'Pausing']);

/** Of a row that is paused: the next Pod is made from a template that pins an init image by digest. */
export const pinnedWhilePaused = (state: DisplayState, sandbox: unknown): boolean =>
  asleep.has(state) && pinnedIn(templateSpec(sandbox)).length > 0;

type Fate = Pick<SandboxRow, 'ns' | 'pool' | 'hash' | 'pinned' | 'strands' | 'cause'>;

/** A Pod of it is, or was when last seen, reported under a name that never compares equal. */
const isUnequal = ({ strands, cause }: Fate): boolean =>
  strands === true || (cause?.code === 'InitImageMismatch' && cause.never === true);

/**
 * What a resume would do to rows that are paused: strand them, going by their last Pods or by Pods of the same revision of the
 * same pool, or perhaps strand them, their images being pinned by digest.
 * @param all what is live
 */
export function resumeRisks<R extends Fate>(rows: readonly R[], all: readonly Fate[]): { would: R[]; may: R[] } {
  const revision = ({ ns, pool, hash }: Fate) =>
    pool === undefined || hash === undefined ? undefined : `${ns}/${pool}/${hash}`;
  const unequal = new Set(all.filter(isUnequal).flatMap((row) => revision(row) ?? []));
  const pinned = rows.filter((row) => row.pinned);
  const would = pinned.filter((row) => isUnequal(row) || unequal.has(revision(row) ?? ''));
  return { would, may: pinned.filter((row) => !would.includes(row)) };
}

/** Of a row: the Pod that runs is reported under a name that never compares equal, so the resume after a pause would hang. */
export function strands({ facts, state, pod }: SandboxScene): boolean {
  if (!pausable.has(state) || pod?.phase !== 'Running' || pod.deleting !== undefined || !isOwn(facts, pod))
    return false;
  return pod.initImages?.some(({ spec, status }) => status !== undefined && compareImages(spec, status).never) ?? false;
}

/** Not one of an earlier sandbox of the name. */
const isOwn = (facts: SandboxFacts, pod: PodDigest): boolean =>
  pod.ownerUid === undefined || pod.ownerUid === facts.uid;

export const wouldStrand: Rule<SandboxScene> = {
  code: 'WouldStrand',
  kind: 'hint',
  confidence: 'certain',
  applies: strands,
  never: () => true,
  evidence: ({ more }) =>
    comparedImages(more?.pod)
      .filter(({ equal }) => !equal)
      .flatMap(({ name, spec, status }) => [
        said(`Pod spec.initContainers[${name}].image`, spec.written),
        said(`Pod status.initContainerStatuses[${name}].image`, status.written),
      ]),
  steps: (scene) => {
    const unequal = comparedImages(scene.more?.pod).find(({ equal }) => !equal);
    return unequal ? retag(scene, unequal.name, unequal.spec.written) : [];
  },
};

/** Sandboxes of its own revision, itself included, whose Pods are or were reported under a name that never compares equal. */
const unequalAlike = ({ facts, more }: SandboxScene): SandboxRow[] => {
  const hash = more?.sandbox.metadata.labels?.['agents.kruise.io/template-hash'];
  return (
    more?.siblings?.filter((row) => isUnequal(row) && (row.uid === facts.uid || (hash && row.hash === hash))) ?? []
  );
};

/** The Pod that a pause takes away says it itself as long as it is there. */
const leavesUnequal = (scene: SandboxScene): boolean =>
  scene.pod !== undefined &&
  isOwn(scene.facts, scene.pod) &&
  (scene.pod.initImages?.some(
    ({ container, spec, status }) =>
      status !== undefined &&
      compareImages(spec, status).never &&
      pinnedOf(scene).some(({ name }) => name === container),
  ) ??
    false);

/** Paused, without a Pod to compare: what those of the same template report is the nearest there is. */
export const resumeWouldStrand: Rule<SandboxScene> = {
  code: 'WouldStrand',
  kind: 'hint',
  confidence: 'likely',
  applies: (scene) =>
    asleep.has(scene.state) && pinnedOf(scene).length > 0 && (unequalAlike(scene).length > 0 || leavesUnequal(scene)),
  evidence: (scene) => [
    ...mayStrand.evidence(scene),
    said(
      'counted: sandboxes of its revision whose Pods are reported under another name',
      unequalAlike(scene).length || undefined,
    ),
  ],
  steps: (scene) => mayStrand.steps(scene),
};

/** Pinned, and reported by its name now: another node, or another pull, may report the image id (domain 4.5). */
export const mayStrand: Rule<SandboxScene> = {
  code: 'MayStrand',
  kind: 'hint',
  confidence: 'possible',
  applies: (scene) =>
    (pausable.has(scene.state) || asleep.has(scene.state)) &&
    !strands(scene) &&
    !resumeWouldStrand.applies(scene) &&
    pinnedOf(scene).length > 0,
  evidence: (scene) => pinnedOf(scene).map(({ name, image }) => said(`spec.initContainers[${name}].image`, image)),
  steps: (scene) =>
    pinnedOf(scene).flatMap(({ name, image }) =>
      asleep.has(scene.state) ? retagPatch(scene, name, image) : retag(scene, name, image),
    ),
};

interface Pinned {
  name: string;
  image: string;
}

const templateSpec = (sandbox: unknown) => record(record(record(record(sandbox).spec).template).spec);

const pinnedIn = (podSpec: unknown): Pinned[] =>
  list(record(podSpec).initContainers).flatMap((entry) => {
    const name = text(record(entry).name);
    const image = text(record(entry).image);
    return name !== undefined && image !== undefined && isDigestPinned(image) ? [{ name, image }] : [];
  });

/** Of the Pod and of the template; of one that is paused the template alone, from which the next Pod is made. */
function pinnedOf({ facts, state, pod, more }: SandboxScene): Pinned[] {
  const ofPod = pod && isOwn(facts, pod) && !asleep.has(state) ? pinnedIn(more?.pod?.spec) : [];
  const named = new Map([...ofPod, ...pinnedIn(templateSpec(more?.sandbox))].map((each) => [each.name, each]));
  return [...named.values()];
}

/** Asked to keep more than a pause keeps here, before it is paused (T28). */
const wouldLoseMore: Rule<SandboxScene> = {
  ...pauseLosesMore,
  confidence: 'likely',
  applies: (scene) => pausable.has(scene.state) && pauseLosesMore.evidence(scene)[0] !== undefined,
  evidence: (scene) => pauseLosesMore.evidence(scene).slice(0, 1),
};

export const predictions: readonly Rule<SandboxScene>[] = [wouldStrand, resumeWouldStrand, mayStrand, wouldLoseMore];

/**
 * What a pause would do to a sandbox that runs, or a resume to one that is paused, worst first; empty when nothing speaks
 * against it.
 * @param now epoch ms
 * @param siblings sandboxes of its pool, itself included
 */
export function predict(
  sandbox: KubeObject,
  pod: KubeObject | undefined,
  now: number,
  siblings: readonly SandboxRow[] = [],
): Finding[] {
  const facts = readFacts(sandbox);
  if (!facts) return [];
  const { namespace = '', name } = sandbox.metadata;
  const more: Surroundings = { sandbox, ns: namespace, name, siblings, now };
  if (pod) more.pod = pod;
  const scene: SandboxScene = { ...sceneOf(facts, digestPod(pod)), more };
  return predictions.filter((rule) => rule.applies(scene)).map((rule) => findingOf(rule, scene));
}

export interface PoolPrediction {
  /** Init containers of the template that are pinned by digest. */
  pinned: string[];
  /** Members, claimed ones included, that a pause would strand for certain. */
  stranding: number;
}

/** What pausing the sandboxes of a pool would do. */
export function predictPool(pool: PoolRow, sandboxesOfPool: readonly { strands?: true | undefined }[]): PoolPrediction {
  return { pinned: pool.digestPinned ?? [], stranding: sandboxesOfPool.filter((row) => row.strands).length };
}

import type { KubeObject } from '@/lib/contracts/objects';
import type { PoolRow } from '@/lib/contracts/rows';
import type { PodDigest, SandboxFacts } from '../facts';
import { compareImages, isDigestPinned } from '../images';
import { list, record, text } from '../read';
import { digestPod } from './read-pod';
import { readFacts } from './read-sandbox';
import { findingOf, type Rule, said } from './rule';
import { comparedImages, retag } from './rules/images';
import { pauseLosesMore } from './rules/lives';
import { type SandboxScene, type Surroundings, sceneOf } from './scene';
import type { Finding } from './verdict';

/** States in which a pause is still to come. */
const pausable: ReadonlySet<string> = new Set(['Available', 'Running', 'NotReady', 'Initialising']);

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

/** Pinned, and reported by its name now: another node, or another pull, may report the image id (domain 4.5). */
export const mayStrand: Rule<SandboxScene> = {
  code: 'MayStrand',
  kind: 'hint',
  confidence: 'possible',
  applies: (scene) => pausable.has(scene.state) && !strands(scene) && pinnedOf(scene).length > 0,
  evidence: (scene) => pinnedOf(scene).map(({ name, image }) => said(`spec.initContainers[${name}].image`, image)),
  steps: (scene) => pinnedOf(scene).flatMap(({ name, image }) => retag(scene, name, image)),
};

function pinnedOf({ facts, pod, more }: SandboxScene): { name: string; image: string }[] {
  const template = record(record(record(more?.sandbox.spec).template).spec);
  const named = new Map<string, string>();
  const ofPod = pod && isOwn(facts, pod) ? record(more?.pod?.spec).initContainers : [];
  for (const containers of [ofPod, template.initContainers]) {
    for (const entry of list(containers)) {
      const name = text(record(entry).name);
      const image = text(record(entry).image);
      if (name !== undefined && image !== undefined && isDigestPinned(image)) named.set(name, image);
    }
  }
  return [...named].map(([name, image]) => ({ name, image }));
}

/** Asked to keep more than a pause keeps here, before it is paused (T28). */
const wouldLoseMore: Rule<SandboxScene> = {
  ...pauseLosesMore,
  confidence: 'likely',
  applies: (scene) => pausable.has(scene.state) && pauseLosesMore.evidence(scene)[0] !== undefined,
  evidence: (scene) => pauseLosesMore.evidence(scene).slice(0, 1),
};

export const predictions: readonly Rule<SandboxScene>[] = [wouldStrand, mayStrand, wouldLoseMore];

/** What a pause would do to a sandbox that runs, worst first; empty when nothing speaks against it. `now`: epoch ms. */
export function predict(sandbox: KubeObject, pod: KubeObject | undefined, now: number): Finding[] {
  const facts = readFacts(sandbox);
  if (!facts) return [];
  const { namespace = '', name } = sandbox.metadata;
  const more: Surroundings = { sandbox, ns: namespace, name, now };
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

import type { KubeObject } from '@/lib/contracts/objects';
import type { DisplayState, SandboxRow } from '@/lib/contracts/rows';
import type { PodDigest, SandboxFacts } from '../facts';
import { compareImages } from '../images';
import { imagesOf, record } from '../read';
import { type InitImage, type NextPod, pinnedNext, podImages, templateInits, unequalNext } from './next-pod';
import { digestPod } from './read-pod';
import { readFacts } from './read-sandbox';
import { findingOf, type Rule, said } from './rule';
import { comparedImages, retagElsewhere, retagPatch } from './rules/images';
import { pauseLosesMore } from './rules/lives';
import { type SandboxScene, type Surroundings, sceneOf } from './scene';
import type { Finding } from './verdict';

/** States in which a pause is still to come. */
const pausable: ReadonlySet<string> = new Set(['Available', 'Running', 'NotReady', 'Initialising']);

/** States in which a resume is still to come. */
const asleep: ReadonlySet<DisplayState> = new Set(['Paused', 'Pausing']);

export const isAsleep = ({ state }: Pick<SandboxScene, 'state'>): boolean => asleep.has(state);

type Fate = Pick<SandboxRow, 'ns' | 'pool' | 'hash' | 'state' | 'pinned' | 'strands' | 'imageFrom' | 'cause'>;

/** A Pod of it is, or was when last seen, reported under a name that never compares equal. */
const isUnequal = ({ strands, cause }: Fate): boolean =>
  strands === true || (cause?.code === 'InitImageMismatch' && cause.never === true);

/**
 * What a resume would do to rows that are paused: strand them, going by their last Pods or by Pods of the same revision of the
 * same pool, or perhaps strand them, their images being pinned by digest. Who names such an image in its own template may have
 * named it by a tag since; one that is injected is the same for all of a revision.
 * @param all what is live
 */
export function resumeRisks<R extends Fate>(rows: readonly R[], all: readonly Fate[]): { would: R[]; may: R[] } {
  const revision = ({ ns, pool, hash }: Fate) =>
    pool === undefined || hash === undefined ? undefined : `${ns}/${pool}/${hash}`;
  const revisions = (of: readonly Fate[]) => new Set(of.flatMap((row) => revision(row) ?? []));
  const unequal = all.filter(isUnequal);
  const alike = revisions(unequal);
  const injected = revisions(unequal.filter((row) => row.imageFrom === 'injection'));
  const would = rows.filter(isAsleep).filter((row) => {
    const key = revision(row) ?? '';
    return row.strands || (row.pinned && alike.has(key)) || injected.has(key);
  });
  return { would, may: rows.filter((row) => isAsleep(row) && row.pinned && !would.includes(row)) };
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
  // To delete the Pod of one that runs would be its end (T25): it is paused, and its next Pod is made of another name.
  steps: (scene) => {
    const unequal = comparedImages(scene.more?.pod).find(({ equal }) => !equal);
    return unequal ? retagPatch(scene, unequal.name, unequal.spec.written) : [];
  },
};

/** As the row of the sandbox itself knows it, which remembers its last Pod. */
const ownRow = ({ facts, more }: SandboxScene): SandboxRow | undefined =>
  more?.siblings?.find(({ uid }) => uid === facts.uid);

/** Sandboxes of its revision whose Pods are or were reported under a name that never compares equal, and itself. */
const unequalAlike = ({ facts, more }: SandboxScene): SandboxRow[] => {
  const hash = more?.sandbox.metadata.labels?.['agents.kruise.io/template-hash'];
  return (
    more?.siblings?.filter((row) => isUnequal(row) && (row.uid === facts.uid || (hash && row.hash === hash))) ?? []
  );
};

/** Paused, without a Pod to compare: what its last one, or those of the same template, report is the nearest there is. */
export const resumeWouldStrand: Rule<SandboxScene> = {
  code: 'WouldStrand',
  kind: 'hint',
  confidence: 'likely',
  applies: (scene) => {
    if (!isAsleep(scene)) return false;
    // The Pod that a pause takes away says it itself as long as it is there.
    if (ownRow(scene)?.strands || unequalNext(nextPodOf(scene)).length > 0) return true;
    const pinned = pinnedOf(scene).length > 0;
    return unequalAlike(scene).some((row) => pinned || row.imageFrom === 'injection');
  },
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
    (pausable.has(scene.state) || isAsleep(scene)) &&
    !strands(scene) &&
    !resumeWouldStrand.applies(scene) &&
    (pinnedOf(scene).length > 0 || ownRow(scene)?.pinned === true),
  evidence: (scene) => {
    const named = pinnedOf(scene).map(({ name, image }) => said(`spec.initContainers[${name}].image`, image));
    return named.length > 0 || !ownRow(scene)?.pinned
      ? named
      : [said('last Pod or template: init image', 'pinned by digest')];
  },
  steps: (scene) => {
    const named = pinnedOf(scene).flatMap(({ name, image }) => retagPatch(scene, name, image));
    return named.length > 0 || !scene.more ? named : [retagElsewhere(scene.more)];
  },
};

const nextPodOf = ({ facts, pod, more }: SandboxScene): NextPod => ({
  own: templateInits(more?.sandbox),
  referenced: templateInits(more?.template),
  pod: pod && isOwn(facts, pod) ? podImages(pod) : undefined,
});

/** Init containers of the next Pod that are pinned by digest: of its template, and those that its Pod was given beside it. */
function pinnedOf(scene: SandboxScene): InitImage[] {
  const { own, referenced } = nextPodOf(scene);
  const images = [...(own ?? referenced ?? []), ...imagesOf(record(scene.more?.pod?.spec).initContainers)];
  return pinnedNext(nextPodOf(scene)).flatMap((name) => images.find((each) => each.name === name) ?? []);
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
 * @param template the SandboxTemplate that its spec.templateRef names; null: there is none
 */
export function predict(
  sandbox: KubeObject,
  pod: KubeObject | undefined,
  now: number,
  siblings: readonly SandboxRow[] = [],
  template?: KubeObject | null,
): Finding[] {
  const facts = readFacts(sandbox);
  if (!facts) return [];
  const { namespace = '', name } = sandbox.metadata;
  const more: Surroundings = {
    sandbox,
    ns: namespace,
    name,
    siblings,
    now,
    ...(template === undefined ? {} : { template }),
  };
  if (pod) more.pod = pod;
  const scene: SandboxScene = { ...sceneOf(facts, digestPod(pod)), more };
  return predictions.filter((rule) => rule.applies(scene)).map((rule) => findingOf(rule, scene));
}

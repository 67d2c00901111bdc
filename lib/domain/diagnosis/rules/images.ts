import type { KubeObject } from '@/lib/contracts/objects';
import type { ImagePair } from '../../facts';
import { compareImages, imageKind, normalizeImage, parseImageReference } from '../../images';
import { kubectlDelete, kubectlJsonPatch } from '../../kubectl';
import { list, record, text } from '../../read';
import { type Rule, said } from '../rule';
import type { SandboxScene } from '../scene';
import { deletePod, deleteSandbox, findInjection, podLosses, pointer, type Step, step, wait } from '../steps';
import type { Compared } from '../verdict';
import { deleteOperationOf } from './upgrade';

type Unequal = Required<ImagePair>;

const hasStatus = (pair: ImagePair): pair is Unequal => pair.status !== undefined;

/** The pair that holds the gate: one that never becomes equal before one that may. */
function unequalPair({ pod }: SandboxScene): Unequal | undefined {
  const pairs = pod?.initImages?.filter(hasStatus).filter(({ spec, status }) => !compareImages(spec, status).equal);
  return pairs?.find(({ spec, status }) => compareImages(spec, status).never) ?? pairs?.[0];
}

/** Both names have to fit into the evidence; the whole ones are read from the Pod. */
export function shortDigest(image: string): string {
  return image.replace(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1…');
}

const side = (image: string) => ({ written: image, readAs: normalizeImage(image), kind: imageKind(image) });

/** The comparison of the resume gate for every init container of the Pod, as the controller makes it (domain 4.5). */
export function comparedImages(pod: unknown): Compared[] {
  const { spec, status } = record(pod);
  const statuses = list(record(status).initContainerStatuses).map(record);
  return list(record(spec).initContainers).flatMap((entry) => {
    const name = text(record(entry).name) ?? '';
    const wanted = text(record(entry).image) ?? '';
    const reported = text(statuses.find((each) => each.name === name)?.image);
    if (reported === undefined) return [];
    return [
      {
        name,
        spec: side(wanted),
        status: side(reported),
        equal: compareImages(wanted, reported).equal,
      },
    ];
  });
}

/** The same image by a tag: its own, or one that has to be made. */
function taggedImage(image: string): string {
  const reference = parseImageReference(image);
  if (!reference) return image;
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  return reference.tag === undefined || reference.added.includes('tag') ? `${name}:TAG` : name;
}

const indexIn = (sandbox: KubeObject, container: string): number =>
  list(record(record(record(sandbox.spec).template).spec).initContainers).findIndex(
    (entry) => record(entry).name === container,
  );
const imagePath = (index: number): string => pointer('spec', 'template', 'spec', 'initContainers', index, 'image');

/**
 * Frees a sandbox that a digest strands (recorded `resume-stuck-digest-init-container`): the name by a tag, then a Pod that is
 * made from it; neither alone. A container that the controller injects is named in its ConfigMap, not in the template.
 */
export function retag({ more }: SandboxScene, container: string, image: string): Step[] {
  if (!more) return [];
  const { ns, name } = more;
  const index = indexIn(more.sandbox, container);
  const values = { container, image: taggedImage(image) };
  const replacePod = kubectlDelete(ns, 'pod', name);
  if (index < 0) {
    const kubectl = [findInjection, replacePod];
    return [step('RetagInjectionThenReplacePod', { values, kubectl, loses: podLosses })];
  }
  const patch = kubectlJsonPatch(ns, 'sandboxes', name, [
    { op: 'replace', path: imagePath(index), value: values.image },
  ]);
  return [step('RetagThenReplacePod', { values, kubectl: [patch, replacePod], loses: podLosses })];
}

/** Before there is a Pod: the name by a tag alone. Nothing for a container that is not in the template. */
export function retagPatch({ more }: SandboxScene, container: string, image: string): Step[] {
  const index = more ? indexIn(more.sandbox, container) : -1;
  if (!more || index < 0) return [];
  const value = taggedImage(image);
  const kubectl = [
    kubectlJsonPatch(more.ns, 'sandboxes', more.name, [{ op: 'replace', path: imagePath(index), value }]),
  ];
  return [step('RetagThenResume', { values: { container, image: value }, kubectl })];
}

export const initImageMismatch: Rule<SandboxScene> = {
  code: 'InitImageMismatch',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => unequalPair(scene) !== undefined,
  detail: (scene) => {
    const pair = unequalPair(scene);
    return pair && `${pair.container}: ${shortDigest(pair.spec)} ≠ ${shortDigest(pair.status)}`;
  },
  image: (scene) => {
    const pair = unequalPair(scene);
    return pair && shortDigest(pair.spec);
  },
  never: (scene) => {
    const pair = unequalPair(scene);
    return pair !== undefined && compareImages(pair.spec, pair.status).never;
  },
  evidence: (scene) => {
    const pair = unequalPair(scene);
    return [
      said(`Pod spec.initContainers[${pair?.container}].image`, pair?.spec),
      said(`Pod status.initContainerStatuses[${pair?.container}].image`, pair?.status),
      said('Pod status.phase', scene.pod?.phase),
    ];
  },
  steps: (scene) => {
    const pair = unequalPair(scene);
    if (!pair || !scene.more) return [];
    const { more } = scene;
    const pool = more.pool?.digestPinned?.length ? [step('RetagPool', { values: { pool: more.pool.name } })] : [];
    return [...retag(scene, pair.container, pair.spec), ...pool, deleteSandbox(more)];
  },
  useless: (scene) => {
    if (!scene.more) return [];
    // Deleting the operation frees nothing in this stage (recorded `paused-update-stuck-digest`).
    const upgrade = scene.facts.phase === 'Upgrading' ? deleteOperationOf(scene) : [];
    return [deletePod(scene.more), step('PauseAgain'), step('NewTemplateAlone'), ...upgrade, wait()];
  },
};

export const initStatusMissing: Rule<SandboxScene> = {
  code: 'ContainersStarting',
  kind: 'wait',
  confidence: 'certain',
  applies: ({ pod }) => pod?.initImages?.some((pair) => pair.status === undefined) ?? false,
  detail: ({ pod }) => pod?.initImages?.find((pair) => pair.status === undefined)?.container,
  evidence: ({ pod }) => [
    said('Pod spec.initContainers', pod?.initImages?.find((pair) => pair.status === undefined)?.container),
  ],
  steps: ({ more }) => (more ? [wait(), step('DescribePod')] : []),
};

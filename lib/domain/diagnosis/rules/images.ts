import type { ImagePair } from '../../facts';
import { compareImages, imageKind, normalizeImage, parseImageReference } from '../../images';
import { kubectlDelete, kubectlGet, kubectlJsonPatch } from '../../kubectl';
import { list, record, text } from '../../read';
import { templateRefOf } from '../../sandbox-asks';
import { type Rule, said } from '../rule';
import type { SandboxScene, Surroundings } from '../scene';
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

/** The object whose template names the image of an init container, and where; undefined when neither does. */
function placeOf({ sandbox, template, ns, name }: Surroundings, container: string) {
  const places = [
    { object: sandbox, kind: 'sandboxes', ns, name },
    ...(template ? [{ object: template, kind: 'sandboxtemplates', ns, name: template.metadata.name }] : []),
  ];
  for (const { object, ...target } of places) {
    const inits = list(record(record(record(object.spec).template).spec).initContainers);
    const index = inits.findIndex((entry) => record(entry).name === container);
    const path = pointer('spec', 'template', 'spec', 'initContainers', index, 'image');
    if (index >= 0) return { ...target, path };
  }
  return undefined;
}

/** Where neither its own template nor a SandboxTemplate names it: the ConfigMap of the controller does (domain 4.10). */
export const retagInjection = step('RetagInjection', { kubectl: [findInjection] });

/** Of a template by reference that nobody has read: it may well name the image. */
function unreadTemplate({ sandbox, template, ns }: Surroundings) {
  const name = record(sandbox.spec).template || template !== undefined ? undefined : templateRefOf(sandbox);
  return name === undefined ? undefined : { name, read: kubectlGet(ns, 'sandboxtemplates', name, 'yaml') };
}

/** What spares the next Pod of an image that its own template does not name. */
export function retagElsewhere(more: Surroundings): Step {
  const unread = unreadTemplate(more);
  if (!unread) return retagInjection;
  return step('RetagPoolTemplate', { values: { template: unread.name }, kubectl: [unread.read] });
}

/**
 * Frees a sandbox that a digest strands (recorded `resume-stuck-digest-init-container`): the name by a tag, then a Pod that is
 * made from it; neither alone.
 */
export function retag({ more }: SandboxScene, container: string, image: string): Step[] {
  if (!more) return [];
  const place = placeOf(more, container);
  const values = { container, image: taggedImage(image) };
  const replacePod = kubectlDelete(more.ns, 'pod', more.name);
  const unread = unreadTemplate(more);
  if (!place && unread) {
    const to = { ...values, template: unread.name };
    return [step('RetagTemplateThenReplacePod', { values: to, kubectl: [unread.read, replacePod], loses: podLosses })];
  }
  if (!place) {
    const kubectl = [findInjection, replacePod];
    return [step('RetagInjectionThenReplacePod', { values, kubectl, loses: podLosses })];
  }
  const patch = kubectlJsonPatch(place.ns, place.kind, place.name, [
    { op: 'replace', path: place.path, value: values.image },
  ]);
  const kubectl = [patch, replacePod];
  return place.kind === 'sandboxes'
    ? [step('RetagThenReplacePod', { values, kubectl, loses: podLosses })]
    : [step('RetagTemplateThenReplacePod', { values: { ...values, template: place.name }, kubectl, loses: podLosses })];
}

/** Before there is a Pod: the name by a tag alone. */
export function retagPatch({ more }: SandboxScene, container: string, image: string): Step[] {
  if (!more) return [];
  const place = placeOf(more, container);
  if (!place) return [retagElsewhere(more)];
  const values = { container, image: taggedImage(image) };
  const kubectl = [
    kubectlJsonPatch(place.ns, place.kind, place.name, [{ op: 'replace', path: place.path, value: values.image }]),
  ];
  return place.kind === 'sandboxes'
    ? [step('RetagThenResume', { values, kubectl })]
    : [step('RetagTemplate', { values: { ...values, template: place.name }, kubectl })];
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
    const pool =
      more.pool?.digestPinned?.length && !more.pool.templateRef
        ? [step('RetagPool', { values: { pool: more.pool.name } })]
        : [];
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

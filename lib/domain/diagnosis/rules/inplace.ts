import { z } from 'zod';
import { imagesEqual } from '../../images';
import { type Json, list, record, text } from '../../read';
import { type Rule, said } from '../rule';
import { condition, type SandboxScene, saidCondition } from '../scene';
import { describePod, podLosses, step, wait } from '../steps';

const isInplace = (scene: SandboxScene): boolean => {
  const update = condition(scene, 'InplaceUpdate');
  return update?.status === 'False' && update.reason === 'InplaceUpdating';
};

/** An image that is the same under another tag never gets another imageID, and then the update never completes (T15). */
export const inplaceUpdating: Rule<SandboxScene> = {
  code: 'InplaceUpdating',
  kind: 'wait',
  confidence: 'certain',
  applies: isInplace,
  detail: (scene) => condition(scene, 'InplaceUpdate')?.message,
  never: ({ more }) => more !== undefined && sameImageIds(more.pod).length > 0,
  evidence: (scene) => [
    ...saidCondition(scene, 'InplaceUpdate'),
    ...sameImageIds(scene.more?.pod).flatMap(({ container, imageId }) => [
      said(`Pod metadata.annotations[${stateKey}] ${container}.imageID`, imageId),
      said(`Pod status.containerStatuses[${container}].imageID`, imageId),
    ]),
  ],
  steps: ({ more }) => {
    if (!more) return [];
    const replace = step('RecreateUpgrade', { loses: podLosses });
    return sameImageIds(more.pod).length > 0 ? [replace] : [wait(), describePod(more), replace];
  },
};

const second = ({ more }: SandboxScene) =>
  more?.events?.find(({ reason, message }) => reason === 'InplaceUpdateForbidden' && /multiple/i.test(message));

/**
 * In the life of a Pod the controller changes it in place once. What the template says since then, the way back from an image
 * that cannot be pulled too, is refused on every pass (domain 4.6).
 */
export const inplaceSuperseded: Rule<SandboxScene> = {
  code: 'InplaceSuperseded',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => isInplace(scene) && second(scene) !== undefined,
  never: ({ more }) => sameImageIds(more?.pod).length > 0,
  evidence: (scene) => [
    ...saidCondition(scene, 'InplaceUpdate'),
    said('Event InplaceUpdateForbidden', second(scene)?.message),
    said('Event InplaceUpdateForbidden count', second(scene)?.count),
    ...imagesApart(scene).flatMap(({ container, wanted, has }) => [
      said(`Sandbox spec.template.spec.containers[${container}].image`, wanted),
      said(`Pod spec.containers[${container}].image`, has),
    ]),
  ],
  steps: () => [step('RecreateUpgrade', { loses: podLosses })],
  useless: () => [step('NewTemplateAlone'), wait()],
};

/** The same where a container of the first change does not start: another image in the template would not help it. */
export const inplaceNotStarting: Rule<SandboxScene> = {
  ...inplaceSuperseded,
  applies: (scene) => inplaceSuperseded.applies(scene) && scene.pod?.waiting !== undefined,
};

/** Containers of which the Pod has another image than the template. */
function imagesApart({ more }: SandboxScene): { container: string; wanted: string; has: string }[] {
  const containersOf = (podSpec: unknown) => list(record(podSpec).containers).map(record);
  const wanted = containersOf(record(record(more?.sandbox.spec).template).spec);
  return containersOf(record(more?.pod).spec).flatMap(({ name, image }) => {
    const [container, has] = [text(name), text(image)];
    const asked = text(wanted.find((each) => each.name === name)?.image);
    if (container === undefined || has === undefined || asked === undefined || imagesEqual(asked, has)) return [];
    return [{ container, wanted: asked, has }];
  });
}

export const inplaceFailed: Rule<SandboxScene> = {
  code: 'InplaceUpdateFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) =>
    condition(scene, 'InplaceUpdate')?.status === 'False' && condition(scene, 'InplaceUpdate')?.reason === 'Failed',
  detail: (scene) => condition(scene, 'InplaceUpdate')?.message,
  evidence: (scene) => saidCondition(scene, 'InplaceUpdate'),
  steps: ({ more }) => (more ? [step('RecreateUpgrade', { loses: podLosses }), describePod(more)] : []),
};

const stateKey = 'agents.kruise.io/inplace-update-state';

/** Containers whose imageID is still the one from before the update although the node reports the new name. */
function sameImageIds(pod: unknown): { container: string; imageId: string }[] {
  const before = inplaceState(text(record(record(record(pod).metadata).annotations)[stateKey]));
  return list(record(record(pod).status).containerStatuses).flatMap((entry) => {
    const { name, imageID } = record(entry);
    const container = text(name);
    const imageId = text(imageID);
    if (container === undefined || imageId === undefined) return [];
    return before.get(container) === imageId && reportsNewImage(pod, container, record(entry))
      ? [{ container, imageId }]
      : [];
  });
}

/** The image that was asked for is the one that is reported: what is compared beyond that is the imageID (domain 4.6). */
function reportsNewImage(pod: unknown, container: string, status: Json): boolean {
  const asked = list(record(record(pod).spec).containers)
    .map(record)
    .find(({ name }) => name === container);
  return imagesEqual(text(asked?.image) ?? '', text(status.image) ?? '');
}

const annotation = z.looseObject({
  lastContainerStatuses: z.record(z.string(), z.looseObject({ imageID: z.string() })),
});

/** imageID by container from before the update, of what the annotation says; empty for what nobody can read. */
function inplaceState(value: string | undefined): Map<string, string> {
  try {
    const { lastContainerStatuses } = annotation.parse(JSON.parse(value ?? ''));
    return new Map(Object.entries(lastContainerStatuses).map(([name, { imageID }]) => [name, imageID]));
  } catch {
    return new Map();
  }
}

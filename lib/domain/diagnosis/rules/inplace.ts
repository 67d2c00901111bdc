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

import { type Pod, podSchema } from '../client/objects';
import { objectPath, resources } from '../client/resources';
import { immutableHash, stableJson } from '../rules/hashes';
import { annotation, label } from '../rules/keys';
import type { Pass } from './pass';

/**
 * A template change of a sandbox without upgradePolicy: metadata, images and cpu are written into the Pod, anything else is
 * refused with an event on every pass. 'updating' while containers still run the old image or size.
 */
export async function updateInPlace(pass: Pass, pod: Pod): Promise<'done' | 'updating'> {
  const template = pass.sandbox.spec.template;
  const podRevision = pod.metadata.labels?.[label.podTemplateHash];
  if (podRevision === undefined) return 'done';
  if (template === undefined) return finish(pass, pod);
  // The hash is written once: after an upgrade that changed more, this is said on every pass, although nothing is left to do.
  if (immutableHash(pass.sandbox.spec) !== pass.sandbox.metadata.annotations?.[annotation.immutableHash]) {
    pass.emit('Warning', 'InplaceUpdateForbidden', 'InplaceUpdate only support image, resources, metadata');
    return 'done';
  }
  if (podRevision === pass.revision) return finish(pass, pod);
  const images: Record<string, string> = {};
  const sizes: { name: string; resources: unknown }[] = [];
  for (const container of template.spec?.containers ?? []) {
    const current = pod.spec.containers?.find(({ name }) => name === container.name);
    if (current === undefined) continue;
    if (container.image !== undefined && container.image !== current.image) images[container.name] = container.image;
    if (stableJson(container.resources ?? {}) !== stableJson(current.resources ?? {}))
      sizes.push({ name: container.name, resources: container.resources ?? {} });
  }
  const metadata = {
    labels: { ...template.metadata?.labels, [label.podTemplateHash]: pass.revision },
    annotations: { ...template.metadata?.annotations },
  };
  if (Object.keys(images).length === 0 && sizes.length === 0) {
    await patchPod(pass, pod, { metadata });
    return finish(pass, pod);
  }
  if (pod.metadata.annotations?.[annotation.inplaceState] !== undefined) {
    pass.emit('Warning', 'InplaceUpdateForbidden', 'currently, multiple in-place updates are not supported');
    return 'done';
  }
  const { api } = pass.deps.cluster;
  if (sizes.length > 0)
    await api.patch(objectPath(resources.pods, pod, 'resize'), { spec: { containers: sizes } }, 'strategic');
  const statuses = pod.status?.containerStatuses ?? [];
  const state = {
    revision: pass.revision,
    updateTimestamp: new Date().toISOString(),
    lastContainerStatuses: Object.fromEntries(
      Object.keys(images).map((name) => [name, { imageID: statuses.find((one) => one.name === name)?.imageID ?? '' }]),
    ),
    updateImages: Object.keys(images).length > 0,
    updateResources: sizes.length > 0,
  };
  const answer = await api.patch(
    objectPath(resources.pods, pod),
    {
      metadata: {
        ...metadata,
        annotations: { ...metadata.annotations, [annotation.inplaceState]: JSON.stringify(state) },
      },
      spec: { containers: Object.entries(images).map(([name, image]) => ({ name, image })) },
    },
    'strategic',
  );
  pass.deps.podCreates.wrote(pass.key, podSchema.parse(answer));
  pass.set('InplaceUpdate', 'False', 'InplaceUpdating');
  return 'updating';
}

async function patchPod(pass: Pass, pod: Pod, body: unknown): Promise<void> {
  const answer = await pass.deps.cluster.api.patch(objectPath(resources.pods, pod), body);
  pass.deps.podCreates.wrote(pass.key, podSchema.parse(answer));
}

/** The update is over when every changed container reports another image id than before. */
function finish(pass: Pass, pod: Pod): 'done' | 'updating' {
  const condition = pass.condition('InplaceUpdate');
  if (condition?.reason === 'InplaceUpdating') {
    const before = recordedImageIds(pod.metadata.annotations?.[annotation.inplaceState]);
    const statuses = pod.status?.containerStatuses ?? [];
    const waiting = Object.entries(before).some(
      ([name, id]) => (statuses.find((one) => one.name === name)?.imageID ?? id) === id,
    );
    if (waiting) return 'updating';
  }
  if (condition?.reason !== 'Failed') pass.set('InplaceUpdate', 'True', 'Succeeded');
  return 'done';
}

function recordedImageIds(state: string | undefined): Record<string, string> {
  const parsed = JSON.parse(state ?? '{}') as { lastContainerStatuses?: Record<string, { imageID?: string }> };
  return Object.fromEntries(
    Object.entries(parsed.lastContainerStatuses ?? {}).map(([name, { imageID }]) => [name, imageID ?? '']),
  );
}

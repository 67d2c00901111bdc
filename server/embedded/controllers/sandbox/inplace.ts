import { z } from 'zod';
import { ApiError, isConflict, isNotFound } from '../client/api';
import { type Container, type Pod, type PodTemplate, podSchema } from '../client/objects';
import { objectPath, resources } from '../client/resources';
import { cutMessage, findCondition } from '../rules/conditions';
import { immutableHash } from '../rules/hashes';
import { annotation, label } from '../rules/keys';
import { allContainers, covers, qosClass } from '../rules/resources';
import type { Pass } from './pass';

/** What the Pod remembers of its in-place update, until it is replaced. */
const stateSchema = z.looseObject({
  lastContainerStatuses: z.record(z.string(), z.looseObject({ imageID: z.string().optional() })).optional(),
  updateResources: z.boolean().optional(),
});
type State = z.infer<typeof stateSchema>;

/**
 * A template change of a sandbox without upgradePolicy: metadata, images and cpu are written into the Pod, anything else is
 * refused with an event on every pass. 'updating' while containers still run the old image or size.
 */
export async function updateInPlace(pass: Pass, pod: Pod): Promise<'done' | 'updating'> {
  const template = pass.sandbox.spec.template;
  const podRevision = pod.metadata.labels?.[label.podTemplateHash];
  if (podRevision === undefined) return 'done';
  // The hash is written once: after an upgrade that changed more, this is said on every pass, although nothing is left to do.
  if (immutableHash(pass.sandbox.spec) !== pass.sandbox.metadata.annotations?.[annotation.immutableHash]) {
    pass.emit('Warning', 'InplaceUpdateForbidden', 'InplaceUpdate only support image, resources, metadata');
    return 'done';
  }
  if (template === undefined || podRevision === pass.revision) return finish(pass, pod);
  const text = pod.metadata.annotations?.[annotation.inplaceState];
  if (text !== undefined) {
    pass.emit('Warning', 'InplaceUpdateForbidden', 'currently, multiple in-place updates are not supported');
    return progressOf(pod, stateSchema.parse(JSON.parse(text))) === 'complete' ? 'done' : 'updating';
  }
  const changes = changedContainers(template, pod);
  if (changes.length === 0) {
    await patchPod(pass, pod, { metadata: metadataOf(pass, template) });
    return 'done';
  }
  const [old, next] = [pod, resized(pod, template)].map((one) => qosClass(allContainers(one)));
  if (old !== next)
    return failed(pass, `resource resize would change QoS class from ${old} to ${next}, resize rejected`);
  return await begin(pass, pod, template, changes);
}

interface Change {
  name: string;
  image?: string;
  resources?: unknown;
}

function changedContainers(template: PodTemplate, pod: Pod): Change[] {
  return (pod.spec.containers ?? []).flatMap((current) => {
    const wanted = template.spec?.containers?.find(({ name }) => name === current.name);
    if (wanted === undefined) return [];
    const image = wanted.image === undefined || wanted.image === current.image ? {} : { image: wanted.image };
    const size = covers(current.resources, wanted.resources) ? {} : { resources: wanted.resources };
    return 'image' in image || 'resources' in size ? [{ name: current.name, ...image, ...size }] : [];
  });
}

function resized(pod: Pod, template: PodTemplate): Pod {
  const size = (container: Container): Container => {
    const wanted = template.spec?.containers?.find(({ name }) => name === container.name);
    return wanted === undefined ? container : { ...container, resources: wanted.resources ?? {} };
  };
  return { ...pod, spec: { ...pod.spec, containers: pod.spec.containers?.map(size) ?? [] } };
}

const metadataOf = (pass: Pass, template: PodTemplate) => ({
  labels: { ...template.metadata?.labels, [label.podTemplateHash]: pass.revision },
  annotations: { ...template.metadata?.annotations },
});

/** Sizes go first: the new hash on the Pod says that everything else is done. */
async function begin(pass: Pass, pod: Pod, template: PodTemplate, changes: Change[]): Promise<'done' | 'updating'> {
  pass.set('InplaceUpdate', 'False', 'InplaceUpdating');
  pass.set('Ready', 'False', 'InplaceUpdating', 'inplace update is incompleted');
  const sizes = changes.flatMap(({ name, resources: size }) => (size === undefined ? [] : [{ name, resources: size }]));
  const images = changes.flatMap(({ name, image }) => (image === undefined ? [] : [{ name, image }]));
  const idOf = (name: string) => pod.status?.containerStatuses?.find((one) => one.name === name)?.imageID ?? '';
  const state = {
    revision: pass.revision,
    updateTimestamp: new Date().toISOString(),
    lastContainerStatuses: Object.fromEntries(images.map(({ name }) => [name, { imageID: idOf(name) }])),
    ...(images.length > 0 ? { updateImages: true } : {}),
    ...(sizes.length > 0 ? { updateResources: true } : {}),
  };
  const { labels, annotations } = metadataOf(pass, template);
  try {
    if (sizes.length > 0) await resize(pass, pod, sizes);
    await patchPod(pass, pod, {
      metadata: { labels, annotations: { ...annotations, [annotation.inplaceState]: JSON.stringify(state) } },
      ...(images.length > 0 ? { spec: { containers: images } } : {}),
    });
    return 'updating';
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    failed(pass, why);
    if (error instanceof ResizeNotSupported) return 'done';
    throw error;
  }
}

class ResizeNotSupported extends Error {}

/** By the subresource, which clusters have from 1.33 on; older ones let the spec itself be changed, or cannot resize at all. */
async function resize(pass: Pass, pod: Pod, containers: object[]): Promise<void> {
  const { api } = pass.deps.cluster;
  const body = { spec: { containers } };
  try {
    await api.patch(objectPath(resources.pods, pod, 'resize'), body, 'strategic');
  } catch (error) {
    if (!isNotFound(error)) throw error;
    try {
      await api.patch(objectPath(resources.pods, pod), body, 'strategic');
    } catch (refusal) {
      if (isConflict(refusal) || !(refusal instanceof ApiError)) throw refusal;
      throw new ResizeNotSupported(`in-place pod resize not supported: ${refusal.message}`);
    }
  }
}

function failed(pass: Pass, message: string): 'done' {
  pass.emit('Warning', 'InplaceUpdateFailed', message);
  pass.set('InplaceUpdate', 'False', 'Failed', cutMessage(message));
  return 'done';
}

async function patchPod(pass: Pass, pod: Pod, body: unknown): Promise<void> {
  const answer = await pass.deps.cluster.api.patch(objectPath(resources.pods, pod), body, 'strategic');
  pass.deps.podCreates.wrote(pass.key, podSchema.parse(answer));
}

/** The Pod carries the current revision: over, unless images or sizes are still on their way. What has ended stays as it is. */
function finish(pass: Pass, pod: Pod): 'done' | 'updating' {
  const reason = pass.condition('InplaceUpdate')?.reason;
  if (reason === 'Succeeded' || reason === 'Failed') return 'done';
  const text = pod.metadata.annotations?.[annotation.inplaceState];
  const progress = text === undefined ? 'complete' : progressOf(pod, stateSchema.parse(JSON.parse(text)));
  if (progress === 'waiting') return 'updating';
  if (progress !== 'complete') return failed(pass, `in-place resource resize failed: ${progress.impossible}`);
  pass.set('InplaceUpdate', 'True', 'Succeeded');
  return 'done';
}

/** Images are there when each changed container reports another id than before; sizes when the statuses show what the spec wants. */
function progressOf(pod: Pod, state: State): 'complete' | 'waiting' | { impossible: string } {
  const status = (name: string) => pod.status?.containerStatuses?.find((one) => one.name === name);
  const restarted = Object.entries(state.lastContainerStatuses ?? {}).every(
    ([name, { imageID = '' }]) => (status(name)?.imageID ?? imageID) !== imageID,
  );
  if (!restarted) return 'waiting';
  const fits = (container: Container) => {
    const actual = status(container.name)?.resources;
    return actual !== undefined && covers(actual, container.resources);
  };
  if (state.updateResources !== true || (pod.spec.containers ?? []).every(fits)) return 'complete';
  const pending = findCondition(pod.status?.conditions, 'PodResizePending');
  const running = findCondition(pod.status?.conditions, 'PodResizeInProgress');
  if (pending?.status === 'True' && (pending.reason === 'Infeasible' || pending.reason === 'Deferred'))
    return { impossible: `pod resize is ${pending.reason.toLowerCase()}: ${pending.message ?? ''}` };
  if (running?.status === 'True' && running.reason === 'Error')
    return { impossible: `pod resize error: ${running.message ?? ''}` };
  return 'waiting';
}

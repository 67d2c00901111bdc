import { randomUUID } from 'node:crypto';
import {
  type Container,
  type PodTemplate,
  type Sandbox,
  type SandboxClaim,
  type SandboxSet,
  sandboxSchema,
} from '../client/objects';
import type { Cluster } from '../cluster';
import { timestamp } from '../rules/conditions';
import { annotation, label } from '../rules/keys';
import { quantity, type Resources } from '../rules/resources';
import { memberOf } from '../sandboxset/members';
import { currentRevision } from '../sandboxset/revision';
import type { ClaimOptions } from './options';

const reservedAnnotation = /^(e2b\.)?agents\.kruise\.io\//;

/** What every claimed sandbox carries: who took it and when, and the request its runtime was initialised with. */
function claimAnnotations(claim: SandboxClaim, options: ClaimOptions, lockId: string): Record<string, string> {
  const { envVars, annotations = {}, labels = {}, dynamicVolumesMount = [] } = claim.spec;
  const token = randomUUID();
  const metadata = {
    ...(Object.keys(labels).length === 0 ? {} : { labels: Object.keys(labels) }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations: Object.keys(annotations) }),
  };
  const request = { ...(envVars === undefined ? {} : { envVars }), accessToken: token };
  return {
    ...annotations,
    [annotation.claimTimestamp]: timestamp(),
    [annotation.lock]: lockId,
    [annotation.owner]: claim.metadata.uid,
    ...(options.initRuntime
      ? { [annotation.initRequest]: JSON.stringify(request), [annotation.accessToken]: token }
      : {}),
    ...(dynamicVolumesMount.length === 0 ? {} : { [annotation.csiVolumes]: JSON.stringify(dynamicVolumesMount) }),
    ...(Object.keys(metadata).length === 0 ? {} : { [annotation.claimMetadata]: JSON.stringify(metadata) }),
  };
}

/** Nothing where there are none: an empty map would stay in the template. */
function templateAnnotations(claim: SandboxClaim): { annotations?: Record<string, string> } {
  const own = Object.entries(claim.spec.annotations ?? {}).filter(([key]) => !reservedAnnotation.test(key));
  return own.length === 0 ? {} : { annotations: Object.fromEntries(own) };
}

/** The containers with the wanted image and cpu in the first one; cpu only where the container has some. Undefined: unchanged. */
export function changedContainers(
  template: PodTemplate | undefined,
  inplaceUpdate: SandboxClaim['spec']['inplaceUpdate'],
): Container[] | undefined {
  const [first, ...others] = template?.spec?.containers ?? [];
  if (inplaceUpdate === undefined || first === undefined) return undefined;
  const amounts = (kind: keyof Resources & ('requests' | 'limits')) => {
    const current = first.resources?.[kind];
    const cpu = inplaceUpdate.resources?.[kind]?.cpu;
    const has = quantity(current?.cpu ?? '0') > 0;
    return current === undefined ? {} : { [kind]: cpu !== undefined && has ? { ...current, cpu } : current };
  };
  const image = inplaceUpdate.image ? { image: inplaceUpdate.image } : {};
  const size =
    first.resources === undefined
      ? {}
      : { resources: { ...first.resources, ...amounts('requests'), ...amounts('limits') } };
  return [{ ...first, ...image, ...size }, ...others];
}

/** The merge patch that takes a member out of its pool, refused when the member has changed meanwhile. */
export function claimPatch(sandbox: Sandbox, claim: SandboxClaim, options: ClaimOptions, lockId: string): unknown {
  const { labels, shutdownTime } = claim.spec;
  const { template } = sandbox.spec;
  const owner = { [label.owner]: claim.metadata.uid };
  const containers = changedContainers(template, claim.spec.inplaceUpdate);
  return {
    metadata: {
      resourceVersion: sandbox.metadata.resourceVersion,
      ownerReferences: null,
      labels: { ...labels, [label.claimed]: 'true', [label.claimName]: claim.metadata.name },
      annotations: claimAnnotations(claim, options, lockId),
    },
    spec: {
      ...(shutdownTime === undefined ? {} : { shutdownTime }),
      ...(template === undefined
        ? {}
        : {
            template: {
              metadata: { labels: { ...labels, ...owner }, ...templateAnnotations(claim) },
              ...(containers === undefined ? {} : { spec: { containers } }),
            },
          }),
    },
  };
}

/** A sandbox made for the claim: like a pool member, but born claimed, without the pool's hash, and started with priority. */
export async function onDemand(
  cluster: Cluster,
  claim: SandboxClaim,
  set: SandboxSet,
  options: ClaimOptions,
  lockId: string,
): Promise<unknown> {
  const revision = await currentRevision(cluster, set);
  const member = sandboxSchema.omit({ metadata: true }).parse(memberOf(set, revision));
  const { template } = revision;
  const labels = {
    ...template.metadata?.labels,
    ...claim.spec.labels,
    [label.pool]: set.metadata.name,
    [label.template]: set.spec.templateRef?.name ?? set.metadata.name,
    [label.claimed]: 'true',
    [label.claimName]: claim.metadata.name,
    [label.owner]: claim.metadata.uid,
  };
  const annotations = {
    ...template.metadata?.annotations,
    ...claimAnnotations(claim, options, lockId),
    [annotation.priority]: '100',
  };
  const { shutdownTime } = claim.spec;
  const containers = changedContainers(template, claim.spec.inplaceUpdate);
  const spec = containers === undefined ? template.spec : { ...template.spec, containers };
  return {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: { generateName: `${set.metadata.name}-`, namespace: claim.metadata.namespace, labels, annotations },
    spec: {
      ...member.spec,
      ...(set.spec.template === undefined
        ? {}
        : { template: { ...template, metadata: { labels, annotations }, spec } }),
      ...(shutdownTime === undefined ? {} : { shutdownTime }),
    },
  };
}

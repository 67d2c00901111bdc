import type { SandboxClaim, SandboxSet } from '../client/objects';
import type { Cluster } from '../cluster';
import { quantity } from '../rules/resources';
import { requireVolumes } from '../sandbox/csi';

const reservedKey = 'agents.kruise.io/sandbox-id';

/** What a pass wants of every sandbox that it takes. */
export interface ClaimOptions {
  /** Calls `/init` in it: asked for, and the pool has an agent runtime. */
  initRuntime: boolean;
}

/**
 * Checks the claim before anything is taken, each pass anew.
 * @throws Error for a claim that cannot be served as it is; it only shows as NoAvailableSandboxes.
 */
export async function claimOptions(cluster: Cluster, claim: SandboxClaim, set: SandboxSet): Promise<ClaimOptions> {
  const { labels, annotations, inplaceUpdate, dynamicVolumesMount = [], skipInitRuntime } = claim.spec;
  for (const [what, map] of Object.entries({ label: labels, annotation: annotations }))
    if (map?.[reservedKey] !== undefined)
      throw new Error(`${what} "${reservedKey}" is reserved and cannot be set by SandboxClaim`);
  const initRuntime = skipInitRuntime !== true && hasAgentRuntime(cluster, set);
  await requireVolumes(cluster.api, dynamicVolumesMount);
  if (dynamicVolumesMount.length > 0 && !initRuntime)
    throw new Error('init runtime is required when csi mount is specified');
  const sizes = [inplaceUpdate?.resources?.requests, inplaceUpdate?.resources?.limits];
  const wanted = sizes.some((one) => Object.keys(one ?? {}).length > 0);
  if (inplaceUpdate !== undefined && !inplaceUpdate.image && !wanted)
    throw new Error('inplace update requires at least one of image or resources to be set');
  if (sizes.some((one) => one?.cpu !== undefined && !(quantity(one.cpu) > 0)))
    throw new Error('target cpu must be a positive value');
  return { initRuntime };
}

/** Injected, or brought by the template as an init container of that name. */
function hasAgentRuntime(cluster: Cluster, { metadata, spec }: SandboxSet): boolean {
  if (spec.runtimes?.some(({ name }) => name === 'agent-runtime')) return true;
  const template =
    spec.templateRef === undefined
      ? spec.template
      : cluster.templates.get(`${metadata.namespace}/${spec.templateRef.name}`)?.spec?.template;
  return template?.spec?.initContainers?.some(({ name }) => name === 'runtime') === true;
}

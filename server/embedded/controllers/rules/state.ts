import { controllerOf, type OwnerReference, type Sandbox } from '../client/objects';
import { findCondition } from './conditions';

export type SandboxState = 'creating' | 'available' | 'running' | 'paused' | 'dead';

export const isReady = (sandbox: Sandbox): boolean =>
  findCondition(sandbox.status?.conditions, 'Ready')?.status === 'True';

/** The SandboxSet that owns the sandbox; a claimed one has none. */
export function poolOwner(sandbox: Sandbox): OwnerReference | undefined {
  const owner = controllerOf(sandbox);
  return owner?.kind === 'SandboxSet' && owner.apiVersion === 'agents.kruise.io/v1alpha1' ? owner : undefined;
}

/** pkg/utils at 0b72c83a: the rows in this order, the first that fits decides. */
export function sandboxState(sandbox: Sandbox, now = Date.now()): SandboxState {
  const { phase } = sandbox.status ?? {};
  if (sandbox.metadata.deletionTimestamp !== undefined) return 'dead';
  if (sandbox.spec.shutdownTime !== undefined && Date.parse(sandbox.spec.shutdownTime) < now) return 'dead';
  if (phase === 'Pending') return 'creating';
  if (phase === 'Succeeded' || phase === 'Failed' || phase === 'Terminating') return 'dead';
  if (poolOwner(sandbox) !== undefined) return isReady(sandbox) ? 'available' : 'creating';
  if (phase !== 'Running') return 'paused';
  if (sandbox.spec.paused === true) return 'paused';
  return isReady(sandbox) ? 'running' : 'dead';
}

import { isNotFound } from '../client/api';
import { keyOf, type Sandbox, type SandboxUpdateOps, sandboxSchema } from '../client/objects';
import { objectPath, resources } from '../client/resources';
import { withoutEmpty } from '../rules/empty';
import { annotation, label } from '../rules/keys';
import { mergePatchBetween } from '../rules/merge';
import { patchedTemplate } from './classify';
import type { OpsDeps } from './controller';

/** Takes a sandbox into the operation; a paused one gets its template only after it was resumed. */
export async function adopt(deps: OpsDeps, ops: SandboxUpdateOps, sandbox: Sandbox): Promise<void> {
  const paused = sandbox.status?.phase === 'Paused';
  const template = paused ? undefined : templateChange(ops, sandbox);
  const lifecycle = ops.spec.lifecycle;
  await patchSandbox(deps, sandbox, {
    metadata: {
      labels: { [label.updateOps]: ops.metadata.name, [label.upgradeFailed]: null },
      ...(paused ? { annotations: { [annotation.resumeTrigger]: 'true' } } : {}),
    },
    spec: {
      upgradePolicy: { type: ops.spec.updateStrategy?.type ?? 'Recreate' },
      lifecycle: lifecycle === undefined ? null : (mergePatchBetween(sandbox.spec.lifecycle, lifecycle) ?? {}),
      ...(template === undefined ? {} : { template }),
    },
  });
}

/**
 * What the patch changes in the template. Empty lists and maps are not written, so that a patch that leaves nothing else
 * changes nothing, although the sandbox is not up to date: such an operation never ends.
 */
const templateChange = (ops: SandboxUpdateOps, sandbox: Sandbox): unknown =>
  mergePatchBetween(withoutEmpty(sandbox.spec.template), withoutEmpty(patchedTemplate(sandbox, ops.spec.patch)));

/** Second phase of a resumed sandbox: its new template, and the trigger taken off. */
export async function patchAfterResume(deps: OpsDeps, ops: SandboxUpdateOps, sandbox: Sandbox): Promise<void> {
  const template = templateChange(ops, sandbox);
  await patchSandbox(deps, sandbox, {
    metadata: { annotations: { [annotation.resumeTrigger]: null } },
    ...(template === undefined ? {} : { spec: { template } }),
  });
}

export async function setFailedLabel(deps: OpsDeps, sandbox: Sandbox, failed: boolean): Promise<void> {
  if ((sandbox.metadata.labels?.[label.upgradeFailed] === 'true') === failed) return;
  await patchSandbox(deps, sandbox, { metadata: { labels: { [label.upgradeFailed]: failed ? 'true' : null } } });
}

/** An updated sandbox is an ordinary one again. */
export async function release(deps: OpsDeps, sandbox: Sandbox): Promise<void> {
  const labelled = sandbox.metadata.labels?.[label.upgradeFailed] !== undefined;
  if (sandbox.spec.upgradePolicy === undefined && !labelled) return;
  await patchSandbox(deps, sandbox, {
    ...(labelled ? { metadata: { labels: { [label.upgradeFailed]: null } } } : {}),
    ...(sandbox.spec.upgradePolicy === undefined ? {} : { spec: { upgradePolicy: null } }),
  });
}

/** The operation is being deleted: its label and trigger go; what is in flight keeps its policy and runs on. */
export async function letGo(deps: OpsDeps, sandbox: Sandbox, updated: boolean): Promise<void> {
  await patchSandbox(deps, sandbox, {
    metadata: { labels: { [label.updateOps]: null }, annotations: { [annotation.resumeTrigger]: null } },
    ...(updated && sandbox.spec.upgradePolicy !== undefined ? { spec: { upgradePolicy: null } } : {}),
  });
}

async function patchSandbox(deps: OpsDeps, sandbox: Sandbox, body: unknown): Promise<void> {
  try {
    const answer = await deps.cluster.api.patch(objectPath(resources.sandboxes, sandbox), body);
    deps.writes.wrote(keyOf(sandbox), sandboxSchema.parse(answer));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

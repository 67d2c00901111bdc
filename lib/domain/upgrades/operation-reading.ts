import { z } from 'zod';
import type { UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import type { ChosenSandbox, UpgradeDraft, UpgradeHook } from '@/lib/contracts/upgrades';
import { fields, text, texts, whole } from '../lenient-shapes';

const hook = z
  .object({ exec: fields({ command: texts }), timeoutSeconds: whole })
  .optional()
  .catch(undefined);

const shape = fields({
  metadata: fields({ name: text, namespace: text }),
  spec: fields({
    patch: z.record(z.string(), z.unknown()).optional().catch(undefined),
    updateStrategy: fields({
      type: text,
      maxUnavailable: z.union([z.number().int(), z.string()]).optional().catch(undefined),
    }),
    lifecycle: fields({ preUpgrade: hook, postUpgrade: hook }),
    stateFilter: fields({ states: texts }),
  }),
});

/** What the spec of an operation gives to another one. */
export interface OperationReading
  extends Pick<UpgradeDraft, 'namespace' | 'name' | 'states' | 'strategy' | 'maxUnavailable'> {
  patch?: Record<string, unknown>;
  preUpgrade?: UpgradeHook;
  postUpgrade?: UpgradeHook;
}

/** Of a whole SandboxUpdateOps; undefined for what has no name. */
export function readOperation(object: unknown): OperationReading | undefined {
  const { metadata, spec } = shape.parse(object);
  if (metadata.name === undefined || metadata.namespace === undefined) return undefined;
  const states = (['Running', 'Paused'] as const).filter((state) => spec.stateFilter.states.includes(state));
  const reading: OperationReading = {
    namespace: metadata.namespace,
    name: metadata.name,
    states: states.length === 0 ? ['Running'] : states,
    strategy: spec.updateStrategy.type === 'CheckpointRestore' ? 'CheckpointRestore' : 'Recreate',
    maxUnavailable: spec.updateStrategy.maxUnavailable ?? 1,
  };
  if (spec.patch) reading.patch = spec.patch;
  const { preUpgrade, postUpgrade } = spec.lifecycle;
  if (preUpgrade && preUpgrade.exec.command.length > 0) reading.preUpgrade = hookOf(preUpgrade);
  if (postUpgrade && postUpgrade.exec.command.length > 0) reading.postUpgrade = hookOf(postUpgrade);
  return reading;
}

function hookOf({ exec, timeoutSeconds }: NonNullable<z.infer<typeof hook>>): UpgradeHook {
  return { command: exec.command, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
}

type Change = 'withPatch' | 'withoutPatch';

/** A draft that does the same to other targets, with these hooks of it. */
export function draftLike(
  operation: OperationReading,
  targets: UpgradeDraft['targets'],
  change: Change,
  hooks: readonly ('preUpgrade' | 'postUpgrade')[],
): UpgradePreviewRequest {
  const { namespace, name, states, strategy, maxUnavailable, patch } = operation;
  const draft: UpgradePreviewRequest = {
    namespace,
    name: nextName(name),
    targets,
    states,
    change: change === 'withPatch' && patch ? { by: 'patch', patch } : { by: 'none' },
    strategy,
    maxUnavailable,
    paused: false,
  };
  if (hooks.includes('preUpgrade') && operation.preUpgrade) draft.preUpgrade = operation.preUpgrade;
  if (hooks.includes('postUpgrade') && operation.postUpgrade) draft.postUpgrade = operation.postUpgrade;
  return draft;
}

/**
 * A draft that brings back what a group of sandboxes had before the operation of this uid. Its hooks were written for the way
 * there (a migration, a warm-up of the new version): what of them is right for the way back only a person knows.
 */
export function rollBackDraft(
  operation: OperationReading,
  uid: string,
  group: { key: string; sandboxes: ChosenSandbox[] },
): UpgradePreviewRequest {
  const targets = { by: 'selection' as const, sandboxes: group.sandboxes };
  const draft = draftLike(operation, targets, 'withoutPatch', []);
  return { ...draft, change: { by: 'restore', operation: { uid, name: operation.name }, group: group.key } };
}

const longestName = 63;

/** `up` → `up-2` → `up-3`, never longer than a name may be. */
export function nextName(name: string): string {
  const counted = /^(.+)-(\d{1,4})$/.exec(name);
  const [base, number] = counted ? [counted[1] ?? name, Number(counted[2]) + 1] : [name, 2];
  const end = `-${number}`;
  return `${base.slice(0, longestName - end.length).replace(/-+$/, '')}${end}`;
}

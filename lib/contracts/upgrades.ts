import { z } from 'zod';
import { label, namespaceName, objectName } from './names';
import { intOrPercent } from './rows';

/** At most as many sandboxes as one operation may name one by one. */
export const maxSelected = 5_000;

/** In the text of a selector, other characters would say something else. */
const labelPart = '([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)';

const labelValue = z
  .string()
  .max(63)
  .regex(new RegExp(`^${labelPart}?$`), { error: 'This is no value of a label.' });

const labelKey = z
  .string()
  .max(317)
  .regex(new RegExp(`^(${label}(\\.${label})*/)?${labelPart}$`), { error: 'This is no key of a label.' });

/** metav1.LabelSelector; an empty one matches everything in the namespace. */
export const anyLabelSelector = z.strictObject({
  matchLabels: z.record(labelKey, labelValue).optional(),
  matchExpressions: z
    .array(
      z.strictObject({
        key: labelKey,
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(labelValue).optional(),
      }),
    )
    .optional(),
});

/** The same of an operation that the console makes: an empty one is refused. */
export const labelSelector = anyLabelSelector.refine(
  ({ matchLabels = {}, matchExpressions = [] }) => Object.keys(matchLabels).length + matchExpressions.length > 0,
  { error: 'Name at least one label: an empty selector takes every sandbox of the namespace.' },
);
export type LabelSelector = z.infer<typeof labelSelector>;

/** A sandbox as it was chosen: another object of the same name is another sandbox. */
export const chosenSandbox = z.object({ uid: z.string().min(1), name: objectName });
export type ChosenSandbox = z.infer<typeof chosenSandbox>;

/**
 * Which sandboxes an operation shall take. `selection` are single ones, which no label tells from the others: the console
 * puts the label {@link selectionLabel} on them first, with the operation's name, and selects by that.
 */
export const upgradeTargets = z.discriminatedUnion('by', [
  z.object({ by: z.literal('pool'), pool: labelValue.min(1) }),
  z.object({ by: z.literal('labels'), selector: labelSelector }),
  z.object({ by: z.literal('selection'), sandboxes: z.array(chosenSandbox).min(1).max(maxSelected) }),
]);
export type UpgradeTargets = z.infer<typeof upgradeTargets>;

export const selectionLabel = 'console.agents.kruise.io/upgrade';

/** An exec hook of spec.lifecycle; without timeoutSeconds the controller waits 60 s (domain 4.6). */
export const upgradeHook = z.object({
  command: z.array(z.string()).min(1),
  timeoutSeconds: z.number().int().min(1).max(86_400).optional(),
});
export type UpgradeHook = z.infer<typeof upgradeHook>;

/** A strategic merge patch on the Pod template of each sandbox. */
export const podTemplatePatch = z.record(z.string(), z.unknown());

/**
 * What an operation changes. `restore` brings back what the sandboxes had before an earlier operation: the patch is made on
 * the server, so that values which the browser sees masked come back whole. `none`: hooks only.
 */
export const upgradeChange = z.discriminatedUnion('by', [
  z.object({ by: z.literal('patch'), patch: podTemplatePatch }),
  z.object({
    by: z.literal('restore'),
    /** The earlier operation, and which of its groups of sandboxes (see {@link upgradeHistoryReply}). */
    operation: z.object({ uid: z.string().min(1), name: z.string().min(1) }),
    group: z.string().min(1),
  }),
  z.object({ by: z.literal('none') }),
]);
export type UpgradeChange = z.infer<typeof upgradeChange>;

/** When the console shall pause an operation by itself: at either limit. */
export const guardLimits = z
  .object({
    /** Failed sandboxes. */
    failures: z.number().int().min(1).optional(),
    /** Failed among those that ended, percent; counts from the fifth that ended. */
    ratePercent: z.number().int().min(1).max(100).optional(),
  })
  .refine(({ failures, ratePercent }) => failures !== undefined || ratePercent !== undefined, {
    error: 'Set a number of failures, a failure rate, or both.',
  });
export type GuardLimits = z.infer<typeof guardLimits>;

/** Below this many ended sandboxes a rate says nothing. */
export const rateCountsFrom = 5;

/** Everything that makes one SandboxUpdateOps, as the four steps of the form collect it. */
export const upgradeDraft = z.object({
  namespace: namespaceName,
  name: z
    .string()
    .min(1)
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
      error: 'Use lower case letters, digits and hyphens; begin and end with a letter or digit.',
    }),
  targets: upgradeTargets,
  /** spec.stateFilter.states */
  states: z.array(z.enum(['Running', 'Paused'])).min(1),
  change: upgradeChange,
  strategy: z.enum(['Recreate', 'CheckpointRestore']),
  maxUnavailable: intOrPercent.refine(
    (value) => (typeof value === 'number' ? value >= 1 : /^([1-9]\d?|100)%$/.test(value)),
    { error: 'Give a number of at least 1, or a percentage from 1% to 100%.' },
  ),
  preUpgrade: upgradeHook.optional(),
  postUpgrade: upgradeHook.optional(),
  /** Created paused: adopts nothing until it is continued. */
  paused: z.boolean().default(false),
  guard: guardLimits.optional(),
});
export type UpgradeDraft = z.infer<typeof upgradeDraft>;

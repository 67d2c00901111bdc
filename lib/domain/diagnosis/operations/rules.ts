import type { EventRow, KubeObject } from '@/lib/contracts/objects';
import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { kubectlDelete } from '../../kubectl';
import type { UpgradeView } from '../../upgrades/view';
import { type Rule, said, saidTime } from '../rule';
import { checkController, patchStep, step, touch, wait } from '../steps';
import type { Evidence } from '../verdict';

export interface OperationScene {
  op: UpgradeRow;
  view: UpgradeView;
  /** Rows that carry its label. */
  rows: readonly SandboxRow[];
  /** Operations of its namespace, itself included. */
  operations: readonly UpgradeRow[];
  /** Whole sandboxes of its namespace: labels and templates are in no row. */
  sandboxes?: readonly KubeObject[];
  object?: KubeObject;
  events?: readonly EventRow[];
  now: number;
}

export const saidNumbers = ({ op, view }: OperationScene): (Evidence | undefined)[] => [
  said('SandboxUpdateOps status.phase', op.phase || 'none'),
  said('SandboxUpdateOps status.replicas', op.total),
  said('SandboxUpdateOps status.updatedReplicas', op.updated),
  said('SandboxUpdateOps status.updatingReplicas', op.updating),
  said('SandboxUpdateOps status.failedReplicas', op.failed),
  said('SandboxUpdateOps spec.updateStrategy.maxUnavailable', op.maxUnavailable ?? 'unset'),
  said('resolved', view.limit),
];

export const deleteOperation = ({ ns, name }: { ns: string; name: string }) =>
  step('DeleteOperation', { values: { operation: name }, kubectl: [kubectlDelete(ns, 'sandboxupdateops', name)] });

/** Each failed sandbox keeps a slot for ever (T5, recorded `update-deadlock-failures`). */
export const deadlocked: Rule<OperationScene> = {
  code: 'OperationDeadlocked',
  kind: 'fault',
  confidence: 'certain',
  applies: ({ view }) => view.phase === 'Deadlocked',
  evidence: (scene) => [
    ...saidNumbers(scene),
    ...scene.view.failures.map(({ stage, count }) => said(`failed in ${stage}`, count)),
  ],
  steps: ({ op, view }) => [
    patchStep(
      'RaiseLimit',
      op,
      'sandboxupdateops',
      [{ op: 'add', path: '/spec/updateStrategy/maxUnavailable', value: view.failed + view.refused + view.limit }],
      { values: { to: String(view.failed + view.refused + view.limit) } },
    ),
    deleteOperation(op),
  ],
  useless: () => [wait()],
};

/** Over, and some of its sandboxes are still where they failed (T8, T9). */
export const failures: Rule<OperationScene> = {
  code: 'OperationFailures',
  kind: 'fault',
  confidence: 'certain',
  applies: ({ view }) => view.phase === 'Failed' && view.failures.length > 0,
  evidence: (scene) => [
    ...saidNumbers(scene),
    ...scene.view.failures.map(({ stage, count }) => said(`failed in ${stage}`, count)),
  ],
  steps: ({ op }) => [step('FixWithOperation'), deleteOperation(op)],
  useless: () => [wait()],
};

/** How fast an operation fails that has nothing to do. */
const atOnceMs = 2000;

/** Times of objects are whole seconds. */
const clockGrainMs = 1000;

/**
 * Of an operation that failed as it came: the failed sandboxes, when all of them had failed before it was there (T43). Where they
 * came through later nothing tells that from a failure of its own that somebody mended.
 */
function countedOldFailures({ op, rows }: OperationScene): SandboxRow[] {
  const { phase, created, changedAt } = op;
  if (phase !== 'Failed' || created === undefined || changedAt === undefined) return [];
  if (changedAt - created > atOnceMs) return [];
  const isOld = ({ since }: SandboxRow) => since !== undefined && since < created - clockGrainMs;
  const failed = rows.filter(({ stage }) => stage?.endsWith('Failed'));
  return failed.every(isOld) ? failed : [];
}

/** With the same content nothing changes but labels: the old failure is counted (T43, recorded `update-retry-identical`). */
export const retryFailed: Rule<OperationScene> = {
  code: 'OperationRetryFailed',
  kind: 'fault',
  confidence: 'likely',
  applies: (scene) => countedOldFailures(scene).length > 0,
  evidence: (scene) => [
    said('SandboxUpdateOps status.phase', scene.op.phase),
    saidTime('SandboxUpdateOps metadata.creationTimestamp', scene.op.created),
    ...countedOldFailures(scene)
      .slice(0, 5)
      .flatMap(({ name, since, stage }) => [
        saidTime(`Sandbox ${name} in Upgrading since`, since),
        said(`Sandbox ${name} status.conditions[Upgrading].reason`, stage),
      ]),
  ],
  steps: ({ op }) => [step('RetryOperation'), deleteOperation(op), step('RemovePolicy'), step('RemoveFailedLabel')],
  useless: () => [wait()],
};

/** The controller takes up one at a time, and the other while it holds the namespace (T7). */
export const waits: Rule<OperationScene> = {
  code: 'OperationWaits',
  kind: 'wait',
  confidence: 'certain',
  applies: ({ view }) => view.phase === 'WaitingForOther',
  evidence: (scene) => [
    said('SandboxUpdateOps status.phase', scene.op.phase || 'none'),
    said('holds the namespace', scene.view.holder?.name),
  ],
  steps: ({ op, view }) => [
    step('WaitForOperation', { values: { operation: view.holder?.name ?? '' } }),
    deleteOperation(op),
  ],
};

/** Accepted beside another one; nothing wakes it but an edit, and it blocks every later one (T48, recorded `second-update-race`). */
export const notTaken: Rule<OperationScene> = {
  code: 'OperationNotTaken',
  kind: 'fault',
  confidence: 'certain',
  applies: ({ view }) => view.concerns.includes('NeedsEdit'),
  evidence: ({ op, view }) => [
    said('SandboxUpdateOps status.phase', op.phase || 'none'),
    said('SandboxUpdateOps metadata.finalizers', op.taken ? 'agents.kruise.io/sandboxupdateops-protection' : 'none'),
    said('active in the namespace', view.active.join(', ')),
  ],
  steps: ({ op }) => [step('TouchOperation', { kubectl: [touch(op, 'sandboxupdateops')] }), deleteOperation(op)],
  useless: () => [wait()],
};

export const deletionWaits: Rule<OperationScene> = {
  code: 'OperationDeletionWaits',
  kind: 'wait',
  confidence: 'certain',
  applies: ({ view }) => view.phase === 'DeletingWaits',
  evidence: ({ view }) => [
    said('SandboxUpdateOps metadata.finalizers', 'agents.kruise.io/sandboxupdateops-protection'),
    said('holds the namespace', view.holder?.name),
  ],
  steps: ({ view }) => [
    step('WaitForOperation', { values: { operation: view.holder?.name ?? '' } }),
    checkController(),
  ],
};

/** Nobody holds it back, and it is still there: its controller takes the finalizer away within a moment (recorded: 0.04 s). */
export const deletionHeld: Rule<OperationScene> = {
  code: 'FinalizerHeld',
  kind: 'wait',
  confidence: 'certain',
  applies: ({ op }) => op.deleting !== undefined && op.taken,
  evidence: ({ op }) => [
    saidTime('SandboxUpdateOps metadata.deletionTimestamp', op.deleting),
    said('SandboxUpdateOps metadata.finalizers', 'agents.kruise.io/sandboxupdateops-protection'),
  ],
  steps: () => [wait(), checkController()],
};

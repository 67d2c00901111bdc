import type { CauseCode, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { SandboxStage } from './stages';

type Adopted = { row: SandboxRow } & SandboxStage;

/** Causes by which an upgrade hangs without the controller counting it as failed (T2, T9, T10). */
const holdingCauses: readonly CauseCode[] = [
  'InitImageMismatch',
  'PodCreateFailed',
  'Unschedulable',
  'ImagePull',
  'CrashLoop',
  'StartContainerFailed',
  'CheckpointPending',
];

/** A checkpoint takes its time; what else holds up is a fault from its first second. */
const checkpointTakesMs = 60_000;

/** What keeps one from going on without having failed; `now` is the server's clock, epoch ms. */
export function heldUpBy(
  op: Pick<UpgradeRow, 'paused'>,
  { row, stage, failed, unwritten }: Adopted,
  now: number,
): CauseCode | undefined {
  if (failed || unwritten || stage === undefined || stage === 'Done') return undefined;
  // Resumed with its old template, and the operation that has the new one is paused (T47).
  if (row.stage === 'ResumeSucceed') return op.paused ? 'WaitingForPatch' : undefined;
  const cause = holdingCauses.find((code) => code === row.cause?.code);
  return cause === 'CheckpointPending' && !isLong(row, now) ? undefined : cause;
}

function isLong({ steps, since }: SandboxRow, now: number): boolean {
  const from = steps?.findLast(([reason]) => reason === 'Checkpointing')?.[1] ?? since;
  return from === undefined || now - from > checkpointTakesMs;
}

/**
 * The Pod itself is wrong: asked again, the API server refuses it again, as long as the template is the same. A quota or a
 * webhook says "forbidden" or "denied", which passes (T55).
 */
export function isRefusedPod({ row, stage, failed, unwritten }: Adopted): boolean {
  if (failed || unwritten || stage !== 'UpgradePod' || row.cause?.code !== 'PodCreateFailed') return false;
  return wrongPod.test(row.cause.detail ?? row.message ?? '');
}

/** The API server's words for HTTP 422 of a Pod, and for one that it cannot read. */
const wrongPod = /^Pod "[^"]*" is invalid:|^Pod in version "[^"]*" cannot be handled as a Pod:/;

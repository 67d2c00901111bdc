import 'server-only';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { UpgradeLeave } from '@/lib/contracts/upgrade-history';
import { joinSteps } from '@/lib/domain/upgrades/stage-times';
import { sandboxStage } from '@/lib/domain/upgrades/stages';
import type { OpenAdoption } from './adoption-queue';

/** What tells how far a sandbox is and what holds it up. Addresses, deadlines and restarts go on without the operation. */
const told = ({ phase, state, stage, gen, obs, upgraded, node, owner, message, cause, deleting, steps }: SandboxRow) =>
  JSON.stringify([phase, state, stage, gen, obs, upgraded, node, owner, message, cause, deleting, steps]);

type Steps = NonNullable<SandboxRow['steps']>;

/** More stages than an operation has, for one that was retried. */
const keptSteps = 24;

/**
 * Takes into the adoption how far the sandbox has come, until the operation is done with it: what becomes of it later is not
 * the operation's doing.
 * @returns whether anything is new
 */
export function followSandbox(open: OpenAdoption, row: SandboxRow, now: number): boolean {
  const { record, earlier = [] } = open;
  if (record && sandboxStage(record.row).stage === 'Done') return false;
  const next = withSteps(row, earlier);
  if (record && told(record.row) === told(next)) return false;
  open.record = { row: next, at: now };
  return true;
}

/** Steps that an earlier run of the console saw come before those that this one did. */
export function rememberSteps(open: OpenAdoption, earlier: Steps): void {
  open.earlier = earlier;
  if (open.record) open.record = { ...open.record, row: withSteps(open.record.row, earlier) };
}

function withSteps(row: SandboxRow, earlier: Steps): SandboxRow {
  const steps = joinSteps(earlier, row.steps).slice(-keptSteps);
  return steps.length === 0 ? row : { ...row, steps };
}

/** How a sandbox left an operation; `row` is what it is now, undefined: gone. */
export function leaveOf(row: SandboxRow | undefined, at: number, seen: boolean): UpgradeLeave {
  if (!row) return { at, seen, why: 'deleted' };
  return row.op === undefined ? { at, seen, why: 'released' } : { at, seen, why: 'taken', to: row.op };
}

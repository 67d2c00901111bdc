import type { SandboxRow } from '@/lib/contracts/rows';

/**
 * Where init images are compared the controller writes no condition, no event and no error (domain 4.5), and nobody else does: at the
 * gates before, the scheduler and the node have theirs.
 */
export function gateIsSilent(row: Pick<SandboxRow, 'gate'>): boolean {
  return row.gate === 'InitImages';
}

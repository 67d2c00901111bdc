import type { SandboxRow } from '@/lib/contracts/rows';

/** Waiting in the resume gate the controller writes no condition, no event and no error (domain 4.5). */
export function gateIsSilent(row: Pick<SandboxRow, 'state' | 'stage'>): boolean {
  return row.state === 'Resuming' || (row.state === 'Upgrading' && row.stage === 'Resuming');
}

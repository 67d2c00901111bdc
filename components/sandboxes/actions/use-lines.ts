import { useMemo } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxChange } from '@/lib/contracts/sandbox-writes';
import { kubectlOfSandboxChange } from '@/lib/domain/kubectl';
import type { Acting } from './use-acting';

/**
 * The lines that do the same in a terminal: as the server gave them, else as they will be. None while something is lacking, nor
 * for what is as it should be already.
 */
export function useLines(change: SandboxChange | undefined, rows: readonly SandboxRow[], acting: Acting): string[] {
  const { outcomes, dryRun } = acting;
  const predicted = dryRun?.predicted;
  return useMemo(() => {
    const told = new Map(predicted?.map((each) => [each.uid, each]));
    return rows.flatMap((row) => {
      const { result, receipt, podReceipt } = outcomes?.get(row.uid) ?? told.get(row.uid) ?? {};
      if (result === 'unchanged') return [];
      const exact = [receipt?.kubectl, podReceipt?.kubectl].filter((line) => line !== undefined);
      return exact.length > 0 ? exact : change ? kubectlOfSandboxChange(row, change) : [];
    });
  }, [rows, outcomes, predicted, change]);
}

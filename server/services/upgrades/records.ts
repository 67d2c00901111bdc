import 'server-only';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { UpgradeHistoryReply } from '@/lib/contracts/upgrade-history';
import { groupBy } from '@/lib/domain/group-by';
import { failedFirst, wasRebuilt } from '@/lib/domain/upgrades/records';
import { adoptionsOfSandboxes, podsOf, recordOf } from '../../history/adoptions';
import type { History } from '../../history/database';
import type { AdoptionTable } from '../../history/tables';

type Told = Pick<UpgradeHistoryReply, 'records' | 'steps'>;

/** What was recorded of sandboxes that an operation has no more, and what rows do not have of those that it still has. */
export function recordsOf(rows: readonly AdoptionTable[], adopted: readonly SandboxRow[]): Told {
  const byUid = new Map(adopted.map((row) => [row.uid, row]));
  const told: Told = { records: [], steps: {} };
  for (const stored of rows) {
    const record = recordOf(stored);
    if (!record) continue;
    const row = byUid.get(stored.sandbox_uid);
    if (!row) {
      const { left } = record;
      if (left) told.records.push({ ...record, left });
      continue;
    }
    const { steps } = record.row;
    if (steps && JSON.stringify(steps) !== JSON.stringify(row.steps)) told.steps[row.uid] = steps;
  }
  return told;
}

/** Of the adopted ones that failed before their Pod was touched, those whose Pod is not the old one all the same. */
export async function rebuiltBefore(
  history: History,
  opUid: string,
  adopted: readonly SandboxRow[],
): Promise<string[]> {
  const failed = adopted.filter(failedFirst).map(({ uid }) => uid);
  const earlier = (await adoptionsOfSandboxes(history, failed)).filter((row) => row.op_uid !== opUid);
  return [...groupBy(earlier, (row) => row.sandbox_uid)]
    .filter(([, rows]) => wasRebuilt(rows.map((row) => ({ record: recordOf(row), pods: podsOf(row) }))))
    .map(([uid]) => uid);
}

import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxChange } from '@/lib/contracts/sandbox-writes';
import type { Receipt } from '@/lib/contracts/writes';
import { parseTime } from '@/lib/domain/time';

/**
 * Whether the live row shows what an accepted change was for: not only that it was taken, but that the controller has followed.
 * @param pod uids of the Pod before and now, where the object is read: a new one is what is waited for
 */
export function isObserved(
  change: SandboxChange,
  receipt: Receipt | undefined,
  row: SandboxRow | undefined,
  pod?: { before: string | undefined; now: string | undefined },
): boolean {
  const isNew = pod?.now !== undefined && pod.now !== pod.before;
  switch (change.action) {
    case 'deleteSandbox':
    case 'removeFinalizer':
      return row === undefined;
    case 'pauseSandbox':
      return row?.state === 'Paused';
    case 'resumeSandbox':
      return row !== undefined && !row.paused && row.phase === 'Running' && (isNew || !pod);
    case 'setDeadline': {
      const wanted = parseTime(receipt?.after);
      return row !== undefined && (change.field === 'shutdownTime' ? row.shutdownAt : row.pauseAt) === wanted;
    }
    case 'deletePod':
      return isNew;
    case 'changeImages':
      if (change.thenDeletePod) return row !== undefined && row.phase === 'Running' && (isNew || !pod);
      return (row?.gen ?? 0) >= (receipt?.generation ?? Number.POSITIVE_INFINITY);
  }
}

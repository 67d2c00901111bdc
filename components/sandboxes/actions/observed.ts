import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxChange, SandboxOutcome } from '@/lib/contracts/sandbox-writes';
import type { Receipt } from '@/lib/contracts/writes';
import { isObject } from '@/lib/domain/json-diff';
import { parseTime } from '@/lib/domain/time';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { shortUid } from '../short';

/** Uids of the Pod of a sandbox: the one that was there, and the one that is. */
export type Pods = { before: string | undefined; now: string | undefined };

/**
 * Whether the live row shows what an accepted change was for: not only that it was taken, but that the controller has followed.
 * @param pod where Pods are read: a new one is what is waited for
 */
export function isObserved(
  change: SandboxChange,
  receipt: Receipt | undefined,
  row: SandboxRow | undefined,
  pod?: Pods,
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

/** Whether an action ends with another Pod. */
export const makesPod = (change: SandboxChange): boolean =>
  change.action === 'resumeSandbox' ||
  change.action === 'deletePod' ||
  (change.action === 'changeImages' && change.thenDeletePod);

/** The Pod that an outcome says was deleted. */
export function deletedPodOf({ receipt, podReceipt }: Pick<SandboxOutcome, 'receipt' | 'podReceipt'>) {
  const before = (podReceipt ?? receipt)?.before;
  return isObject(before) && typeof before.podUid === 'string' ? before.podUid : undefined;
}

/** What was observed of a change, in words. */
export function useObservedText() {
  const t = useTranslations('sandboxes.actions.observed');
  const f = useFormats();
  /** @param id of the receipt; absent where it stands elsewhere */
  return (change: SandboxChange, row: SandboxRow | undefined, pods: Pods, id = 'none'): string => {
    const { before, now } = pods;
    switch (change.action) {
      case 'resumeSandbox':
      case 'deletePod':
      case 'changeImages':
        return t(change.action, {
          id,
          pod: now === undefined || now === before ? 'none' : shortUid(now),
          before: before === undefined ? 'none' : shortUid(before),
        });
      case 'setDeadline': {
        const at = change.field === 'shutdownTime' ? row?.shutdownAt : row?.pauseAt;
        return t(change.action, { id, field: change.field, at: at === undefined ? 'none' : f.dateTime(at) });
      }
      default:
        return t(change.action, { id });
    }
  };
}

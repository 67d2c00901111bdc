import type { GuardedAction } from '@/lib/contracts/access';
import type { KubeObject } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction, SandboxOutcome } from '@/lib/contracts/sandbox-writes';
import { record, text } from '@/lib/domain/read';
import { type ActionScene, type Permission, permissionFor, sceneOfRow } from '@/lib/domain/sandbox-actions';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import type { Guard } from '../../ui';
import { fewUpTo } from '../../writes/few';
import { useWriteGuard } from '../../writes/use-write-guard';

const rightOf: Record<SandboxAction, GuardedAction> = {
  pauseSandbox: 'patchSandbox',
  resumeSandbox: 'patchSandbox',
  setDeadline: 'patchSandbox',
  changeImages: 'patchSandbox',
  removeFinalizer: 'patchSandbox',
  deletePod: 'deletePod',
  deleteSandbox: 'deleteSandbox',
};

/**
 * May this person do this with these, as far as rights and the age of the rows go? Of several namespaces the API server decides
 * one by one.
 * @param goneAt since when the one sandbox is known to be gone
 */
export function useActionRights(
  action: SandboxAction,
  rows: readonly SandboxRow[],
  thenDeletePod: boolean,
  goneAt: number | undefined,
): Guard {
  const ns = rows[0]?.ns ?? '';
  const own = useWriteGuard(rightOf[action], ns, goneAt);
  const pods = useWriteGuard('deletePod', ns, goneAt);
  const guard = own.state === 'allowed' && action === 'changeImages' && thenDeletePod ? pods : own;
  const many = rows.some((row) => row.ns !== ns);
  return many && guard.state === 'denied' ? { state: 'allowed' } : guard;
}

/** What the state of a row permits; `object` adds what only the whole one tells. */
export function usePermission(): (action: SandboxAction, row: SandboxRow, object?: KubeObject) => Permission {
  const operations = useRows('sandboxupdateops');
  const operationOf = (ns: string, name: string) => operations.find((op) => op.ns === ns && op.name === name);
  return (action, row, object) =>
    permissionFor(action, { ...sceneOfRow(row, operationOf), ...(object && told(object)) });
}

function told({ spec, metadata }: KubeObject): Partial<ActionScene> {
  const { template, templateRef } = record(spec);
  const { finalizers } = metadata;
  return {
    templateRef: template ? undefined : text(record(templateRef).name),
    noTemplate: !template && !templateRef,
    finalizers: Array.isArray(finalizers) ? finalizers.filter((name) => typeof name === 'string') : [],
  };
}

/** A permission as a button shows it; undefined: it can be done. */
export function usePermissionText(): (permission: Permission, name: string) => string | undefined {
  const t = useTranslations('common.refusal');
  const ta = useTranslations('sandboxes.actions');
  return (permission, name) => {
    if (permission.state === 'allowed') return undefined;
    if (permission.state === 'already') return ta('already');
    return t('notNow', { sandbox: name, why: permission.why, of: permission.of ?? 'none' });
  };
}

/** What has to be typed before it is sent: the name of the one, the number of several. */
export function wordToType(action: SandboxAction, rows: readonly SandboxRow[]): string | undefined {
  const destroys = action === 'deleteSandbox' && rows.some((row) => row.claimed);
  if (rows.length === 1) return destroys ? rows[0]?.name : undefined;
  return destroys || rows.length > fewUpTo ? String(rows.length) : undefined;
}

/** The dry run refused every one of them. */
export const allRefused = (predicted: readonly SandboxOutcome[] | undefined) =>
  predicted !== undefined && predicted.length > 0 && predicted.every(({ result }) => result === 'refused');

'use client';

import { Ellipsis } from 'lucide-react';
import { Button, GuardedButton, IconButton, Menu, MenuItem, MenuLine } from '@/components/ui';
import type { KubeObject } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import { sandboxActions } from '@/lib/domain/sandbox-actions';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useSandboxAction } from './door';
import { actionIcons } from './looks';
import { useActionRights, usePermission, usePermissionText } from './use-action-guard';

/** Everything that can be done with one sandbox, from its row. What its state forbids is left out: its page says why. */
export function SandboxMenu({ row }: { row: SandboxRow }) {
  const t = useTranslations('sandboxes.actions');
  const trigger = <IconButton label={t('menu', { name: row.name })} icon={Ellipsis} data-menu-of={row.uid} />;
  return (
    <Menu align="end" trigger={trigger}>
      <SandboxMenuItems row={row} />
    </Menu>
  );
}

/** Drawn only while the menu is open: a list of ten thousand rows works nothing out for the others. */
function SandboxMenuItems({ row, without = [] }: { row: SandboxRow; without?: readonly SandboxAction[] }) {
  const t = useTranslations('sandboxes.actions.name');
  const open = useSandboxAction();
  const permissionOf = usePermission();
  const possible = sandboxActions.filter(
    (action) => !without.includes(action) && permissionOf(action, row).state === 'allowed',
  );
  return possible.map((action) => (
    <MenuItem key={action} icon={actionIcons[action]} onSelect={() => open(action, [row])}>
      {t(action)}
    </MenuItem>
  ));
}

/**
 * The ways out of one sandbox at the head of its page: the one or two that its state is waiting for as buttons, each guarded and
 * with the reason where it cannot be done, and all the others in a menu.
 */
export function SandboxActions({ row, object }: { row: SandboxRow; object: KubeObject | undefined }) {
  const t = useTranslations('sandboxes.actions');
  const shown = firstActions(row);
  return (
    <>
      {shown.map((action) => (
        <ActionButton key={action} action={action} row={row} object={object} />
      ))}
      <Menu
        align="end"
        trigger={<IconButton label={t('menu', { name: row.name })} icon={Ellipsis} data-menu-of={row.uid} />}
      >
        <SandboxMenuItems row={row} without={shown} />
        <MenuLine />
        <Impossible row={row} object={object} without={shown} />
      </Menu>
    </>
  );
}

function firstActions(row: SandboxRow): SandboxAction[] {
  switch (row.state) {
    case 'Terminating':
      return ['removeFinalizer'];
    case 'Failed':
    case 'Succeeded':
      return ['deleteSandbox'];
    case 'Paused':
    case 'Pausing':
      return ['resumeSandbox', 'setDeadline'];
    case 'Resuming':
      // At the image check a new Pod alone cannot help.
      return [row.cause?.code === 'InitImageMismatch' ? 'changeImages' : 'deletePod', 'setDeadline'];
    case 'Available':
    case 'Creating':
      return ['deleteSandbox'];
    default:
      return ['pauseSandbox', 'setDeadline'];
  }
}

/** A button that opens the dialog, or says why it cannot. */
export function ActionButton({
  action,
  row,
  object,
  size,
}: {
  action: SandboxAction;
  row: SandboxRow;
  object?: KubeObject | undefined;
  size?: 'sm';
}) {
  const t = useTranslations('sandboxes.actions.name');
  const open = useSandboxAction();
  const permissionOf = usePermission();
  const say = usePermissionText();
  const rights = useActionRights(action, [row], false, undefined);
  const reason = say(permissionOf(action, row, object), row.name);
  return (
    <GuardedButton
      guard={rights.state === 'allowed' && reason !== undefined ? { state: 'wrong', reason } : rights}
      icon={actionIcons[action]}
      onClick={() => open(action, [row])}
      {...(size ? { size } : {})}
    >
      {t(action)}
    </GuardedButton>
  );
}

/** What cannot be done now, each with its reason. */
function Impossible({
  row,
  object,
  without,
}: {
  row: SandboxRow;
  object: KubeObject | undefined;
  without: readonly SandboxAction[];
}) {
  const t = useTranslations('sandboxes.actions');
  const permissionOf = usePermission();
  const say = usePermissionText();
  return sandboxActions.flatMap((action) => {
    const permission = permissionOf(action, row, object);
    if (without.includes(action) || permission.state !== 'refused' || permission.why === 'notDeleting') return [];
    return [
      <p key={action} className="ml sm whitespace-normal">
        <b>{t(`name.${action}`)}</b> {say(permission, row.name)}
      </p>,
    ];
  });
}

/** Bulk actions of the chosen rows; which of them it fits is asked of the server before anything is sent. */
export function SelectionActions({ rows }: { rows: readonly SandboxRow[] }) {
  const t = useTranslations('sandboxes.actions');
  const open = useSandboxAction();
  return (
    <Menu
      align="start"
      trigger={
        <Button icon={Ellipsis} data-menu-of={rows[0]?.uid}>
          {t('act', { count: rows.length })}
        </Button>
      }
    >
      {sandboxActions.map((action) => (
        <MenuItem key={action} icon={actionIcons[action]} onSelect={() => open(action, rows)}>
          {t(`name.${action}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}

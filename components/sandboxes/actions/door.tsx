'use client';

import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import type { PoolRow, SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import type { DeadlineField } from './draft';

const ActionDialog = lazy(async () => ({ default: (await import('./action-dialog')).ActionDialog }));
const PoolForm = lazy(async () => ({ default: (await import('../../pools/pool-form')).PoolForm }));

type Options = {
  /** Which deadline was pressed. */
  field?: DeadlineField;
};
/** Opens the dialog of an action for these sandboxes. Nothing is sent before it is confirmed there. */
export type OpenAction = (action: SandboxAction, rows: readonly SandboxRow[], options?: Options) => void;

type Opened = {
  rows: readonly SandboxRow[];
  first: SandboxRow;
  action: SandboxAction;
  options: Options;
  origin: Origin;
  serial: number;
};
/** Where the focus goes back to. */
type Origin = { element: Element | null; menuOf: string | undefined };

const Door = createContext<{ open: OpenAction; retagPool: (pool: PoolRow) => void } | undefined>(undefined);

function useDoor() {
  const door = useContext(Door);
  if (!door) throw new Error('SandboxActionsProvider is missing above');
  return door;
}

/** The way to every dialog of a sandbox, from wherever a sandbox is shown. */
export const useSandboxAction = (): OpenAction => useDoor().open;

/** Opens the template form of a pool, with tags in the place of its init images that are pinned by digest. */
export const useRetagPool = () => useDoor().retagPool;

/** Holds the one dialog that is open: it stays when the row that it was opened from is gone. */
export function SandboxActionsProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>();
  const [pool, setPool] = useState<{ pool: PoolRow; origin: Origin }>();
  const [door] = useState(() => ({
    open: (action: SandboxAction, rows: readonly SandboxRow[], options: Options = {}) => {
      const [first] = rows;
      if (!first) return;
      const origin = originNow(first.uid);
      setOpened((was) => ({ rows, first, action, options, origin, serial: (was?.serial ?? 0) + 1 }));
    },
    retagPool: (wanted: PoolRow) => setPool({ pool: wanted, origin: originNow(undefined) }),
  }));
  return (
    <Door value={door}>
      {children}
      <Suspense>
        {opened ? (
          <ActionDialog
            key={opened.serial}
            action={opened.action}
            first={opened.first}
            rows={opened.rows}
            field={opened.options.field}
            onClose={() => setOpened(undefined)}
            returnFocus={() => placeOf(opened.origin)}
          />
        ) : null}
        {pool ? (
          <PoolForm
            form={{ which: 'template', pool: pool.pool, retag: true }}
            onClose={() => setPool(undefined)}
            returnFocus={() => placeOf(pool.origin)}
          />
        ) : null}
      </Suspense>
    </Door>
  );
}

function originNow(uid: string | undefined): Origin {
  const element = document.activeElement;
  // An entry of a menu is gone by the time the dialog closes.
  const isEntry = element?.getAttribute('role')?.startsWith('menuitem') ?? false;
  return { element: isEntry ? null : element, menuOf: isEntry ? uid : undefined };
}

function placeOf({ element, menuOf }: Origin): HTMLElement | null {
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) return element;
  const button =
    menuOf === undefined ? null : document.querySelector<HTMLElement>(`[data-menu-of="${CSS.escape(menuOf)}"]`);
  return button ?? document.querySelector<HTMLElement>('[role="grid"], main');
}

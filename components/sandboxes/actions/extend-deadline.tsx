'use client';

import type { ReactNode } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useSandboxAction } from './door';
import type { DeadlineField } from './draft';
import { usePermission } from './use-action-guard';
import './actions.css';

/** A countdown that opens the dialog which moves it; mere text where the state does not permit that. */
export function Extendable({ row, field, children }: { row: SandboxRow; field: DeadlineField; children: ReactNode }) {
  const t = useTranslations('sandboxes.actions');
  const open = useSandboxAction();
  if (usePermission()('setDeadline', row).state !== 'allowed') return children;
  return (
    <button
      type="button"
      className="act-link"
      aria-description={t('extend', { field })}
      onClick={() => open('setDeadline', [row], { field })}
    >
      {children}
    </button>
  );
}

'use client';

import type { OperationReading } from '@/lib/domain/upgrades/operation-reading';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { DeleteForm } from './delete-form';
import { GuardForm } from './guard-form';
import { LimitForm } from './limit-form';
import { PauseForm } from './pause-form';
import { RollBackForm } from './roll-back-form';
import type { UpgradeFormState } from './use-form';

/** The open form of an operation. It belongs to the page, and stays also when the operation goes meanwhile. */
export function OperationForms(props: {
  state: UpgradeFormState;
  upgrade: Upgrade;
  goneAt: number | undefined;
  reading: OperationReading | undefined;
}) {
  const { state, upgrade, goneAt, reading } = props;
  const form = { upgrade, goneAt, onClose: state.close };
  switch (state.form) {
    case 'pause':
      return <PauseForm {...form} to />;
    case 'continue':
      return <PauseForm {...form} to={false} />;
    case 'limit':
      return <LimitForm key={state.to ?? ''} {...form} wanted={state.to} />;
    case 'guard':
      return <GuardForm {...form} />;
    case 'delete':
      return <DeleteForm {...form} />;
    case 'rollBack':
      return <RollBackForm {...form} reading={reading} />;
    default:
      return null;
  }
}

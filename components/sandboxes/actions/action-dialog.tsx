'use client';

import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import { ActionFrame } from './action-frame';
import type { DeadlineField } from './draft';
import { useQuestion } from './use-question';
import './actions.css';

/** The question before an action, and what became of it. */
export function ActionDialog(props: {
  action: SandboxAction;
  first: SandboxRow;
  rows: readonly SandboxRow[];
  field: DeadlineField | undefined;
  onClose: () => void;
  returnFocus: () => HTMLElement | null;
}) {
  return <ActionFrame question={useQuestion(props)} onClose={props.onClose} returnFocus={props.returnFocus} />;
}

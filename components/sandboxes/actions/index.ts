export { type OpenAction, SandboxActionsProvider, useRetagPool, useSandboxAction } from './door';
export { Extendable } from './extend-deadline';
export { Remedies } from './resume-risks';
export { ActionButton, SandboxActions, SandboxMenu, SelectionActions } from './sandbox-actions';
export { useActionRights } from './use-action-guard';
export { useByHand } from './use-by-hand';
export { useCannotHelp } from './use-cannot-help';

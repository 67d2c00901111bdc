export { type OpenAction, SandboxActionsProvider, useRetagPool, useSandboxAction } from './door';
export { Extendable } from './extend-deadline';
export { ActionButton, SandboxActions, SandboxMenu, SelectionActions } from './sandbox-actions';
export { useActionRights } from './use-action-guard';
export { useCannotHelp } from './use-cannot-help';

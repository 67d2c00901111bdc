import { useQuery } from '@tanstack/react-query';
import type { GuardedAction } from '@/lib/contracts/access';
import type { NeededRight } from '../../ui';
import { accessIn } from '../../writes/api';
import type { PlanStep } from './contract-of';
import type { PlanDraft } from './draft';

export type MissingRight = {
  /** To create the operation, to mark the chosen sandboxes, to pause it by itself. */
  what: 'create' | 'mark' | 'pause';
  /** Where that is decided. */
  step: PlanStep;
  right: NeededRight;
};

const none: MissingRight[] = [];

/** Rights that the plan needs as it is now and the person lacks; what could not be asked is not among them. */
export function useMissingRights(form: PlanDraft): MissingRight[] {
  const { namespace } = form;
  const { data } = useQuery({ ...accessIn(namespace), enabled: namespace !== '' });
  const actions = data?.actions;
  if (namespace === '' || !actions) return none;
  const lacks = (what: MissingRight['what'], step: PlanStep, action: GuardedAction): MissingRight[] => {
    const { state, verb, group, resource } = actions[action] ?? { state: 'unknown' };
    if (state !== 'denied' || verb === undefined || group === undefined || resource === undefined) return none;
    return [{ what, step, right: { verb, group, resource, namespace } }];
  };
  return [
    ...lacks('create', 'review', 'createUpgrade'),
    ...(form.targetsBy === 'selection' ? lacks('mark', 'targets', 'patchSandbox') : none),
    ...lacks('pause', 'safety', 'steerUpgrade'),
  ];
}

/** Whether the plan sets a limit at which the console pauses the operation. */
export const hasGuard = ({ guardFailures, guardRate }: Pick<PlanDraft, 'guardFailures' | 'guardRate'>): boolean =>
  (guardFailures + guardRate).trim() !== '';

/** Those that keep the plan from being started: pausing is a right of the guard alone. */
export const neededRights = (missing: readonly MissingRight[], form: PlanDraft): MissingRight[] =>
  missing.filter(({ what }) => what !== 'pause' || hasGuard(form));

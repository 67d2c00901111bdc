import 'server-only';
import type { PatchFault } from '@/lib/contracts/patch-fault';
import type { UpgradePreviewReply, UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { redactObject, redactText } from '@/lib/domain/redact';
import { selectorText } from '@/lib/domain/upgrades/selectors';
import { isActive } from '@/lib/domain/upgrades/view';
import { ok, type Result } from '../result';
import { makePlan } from './plan';
import type { UpgradeContext } from './upgrade-context';

/** What an operation of this draft would take, leave out and change, if it were created now. Throws `KubeError`. */
export async function previewUpgrade(
  ctx: UpgradeContext,
  draft: UpgradePreviewRequest,
): Promise<Result<UpgradePreviewReply>> {
  const planned = await makePlan(ctx, draft);
  if (!planned.ok) return planned;
  const { classified, operations, problems } = planned.value;
  const { selector, targets, leftOut, groups } = classified;
  return ok({
    time: ctx.now(),
    selector: selector ? selectorText(selector) : '',
    targets,
    leftOut: leftOut.map(withoutSecrets),
    groups: groups.map(({ before, after, ...group }) => ({
      ...group,
      before: redactObject(before),
      after: redactObject(after),
    })),
    problems: problems.map(withoutSecrets),
    active: operations.filter(isActive).map(({ name }) => name),
  });
}

/** Faults quote what they are about. */
function withoutSecrets<
  T extends { detail?: string | undefined; fault?: PatchFault | undefined; faults?: PatchFault[] | undefined },
>(entry: T): T {
  return {
    ...entry,
    ...(entry.detail === undefined ? {} : { detail: redactText(entry.detail) }),
    ...(entry.fault ? { fault: faultWithout(entry.fault) } : {}),
    ...(entry.faults ? { faults: entry.faults.map(faultWithout) } : {}),
  };
}

function faultWithout(fault: PatchFault): PatchFault {
  const values = Object.entries(fault.values).map(([key, value]) => [key, redactText(value)]);
  return { ...fault, values: Object.fromEntries(values), message: redactText(fault.message) };
}

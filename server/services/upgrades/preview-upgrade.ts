import 'server-only';
import type { UpgradePreviewReply, UpgradePreviewRequest } from '@/lib/contracts/upgrades';
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

/** A merge that fails quotes what it stumbled over. */
function withoutSecrets<T extends { detail?: string | undefined }>(entry: T): T {
  return entry.detail === undefined ? entry : { ...entry, detail: redactText(entry.detail) };
}

import type { LabelSelector } from '@/lib/contracts/upgrades';
import { patchYaml } from '@/lib/domain/upgrades/patch-yaml';
import { emptyLabelRow, hookDraft, type LabelRow, newDraft, type PlanDraft } from './draft';
import { type HandedOver, handedOver, handOverKey } from './hand-over';

/** What was handed over under an id; undefined when this tab has nothing under it. */
export function readHandedOver(id: string): HandedOver | undefined {
  try {
    return handedOver.safeParse(JSON.parse(sessionStorage.getItem(handOverKey(id)) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

/** The form filled with what was handed over. `now` is epoch ms. */
export function draftFrom(given: HandedOver, now: number): PlanDraft {
  const { targets, change, guard } = given;
  return newDraft(now, {
    namespace: given.namespace,
    ...(given.name === undefined ? {} : { name: given.name }),
    targetsBy: targets.by,
    ...(targets.by === 'pool' ? { pool: targets.pool } : {}),
    ...(targets.by === 'labels' ? { labels: rowsOf(targets.selector) } : {}),
    ...(targets.by === 'selection' ? { sandboxes: targets.sandboxes } : {}),
    ...(given.origin ? { origin: given.origin } : {}),
    ...(given.states ? { running: given.states.includes('Running'), paused: given.states.includes('Paused') } : {}),
    ...(change ? { changeBy: change.by } : {}),
    ...(change?.by === 'patch' ? { patch: patchYaml(change.patch) } : {}),
    ...(change?.by === 'restore' ? { restore: { operation: change.operation, group: change.group } } : {}),
    ...(given.strategy ? { strategy: given.strategy } : {}),
    ...(given.maxUnavailable === undefined ? {} : { maxUnavailable: String(given.maxUnavailable) }),
    preUpgrade: hookDraft(given.preUpgrade),
    postUpgrade: hookDraft(given.postUpgrade),
    startPaused: given.paused ?? false,
    guardFailures: guard?.failures === undefined ? '' : String(guard.failures),
    guardRate: guard?.ratePercent === undefined ? '' : String(guard.ratePercent),
  });
}

function rowsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelRow[] {
  const rows: LabelRow[] = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In' as const, values: value })),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values: values.join(', ') })),
  ];
  return rows.length > 0 ? rows : [emptyLabelRow];
}

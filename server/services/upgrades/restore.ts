import 'server-only';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { UpgradeChange } from '@/lib/contracts/upgrades';
import type { Template } from '@/lib/domain/templates';
import { inversePatch } from '@/lib/domain/upgrades/inverse-patch';
import { metadataChange } from '@/lib/domain/upgrades/template-groups';
import { adoptionsOf, templatesOf } from '../../history/adoptions';
import type { History } from '../../history/database';
import type { AdoptionTable } from '../../history/tables';
import { ok, type Result, refuse } from '../result';
import { refusedByHistory, type UpgradeContext } from './upgrade-context';

/** Sandboxes that had the same template before an operation and got the same one by it. Templates hold secrets. */
export type RestorableGroup = { key: string; members: AdoptionTable[]; before: Template; after: Template };

type Context = Pick<UpgradeContext, 'history' | 'journal'>;

const pairsAtOnce = 100;

/** What the console has seen of an operation: every sandbox, and those of which it knows what they had, in groups. */
export async function seenOf(
  { history, journal }: Context,
  namespace: string,
  opUid: string,
): Promise<Result<{ rows: AdoptionTable[]; groups: RestorableGroup[] }>> {
  try {
    await journal.flush();
    // Who may act in one namespace gets nothing out of another.
    const rows = (await adoptionsOf(history, opUid)).filter((row) => row.namespace === namespace);
    return ok({ rows, groups: await groupsOf(history, rows) });
  } catch (error) {
    return refusedByHistory(error);
  }
}

/** The largest first. Most sandboxes may have a template of their own: some are read at a time, and others come in between. */
async function groupsOf(history: History, rows: readonly AdoptionTable[]): Promise<RestorableGroup[]> {
  const pairs = new Map<string, { before: string; after: string; members: AdoptionTable[] }>();
  for (const row of rows) {
    const { before, after } = row;
    if (before === null || after === null) continue;
    const pair = pairs.get(`${before} ${after}`);
    if (pair) pair.members.push(row);
    else pairs.set(`${before} ${after}`, { before, after, members: [row] });
  }
  const groups = new Map<string, RestorableGroup>();
  const all = [...pairs.values()];
  for (let from = 0; from < all.length; from += pairsAtOnce) {
    const some = all.slice(from, from + pairsAtOnce);
    const texts = await templatesOf(history, [...new Set(some.flatMap(({ before, after }) => [before, after]))]);
    for (const pair of some) {
      const [before, after] = [texts.get(pair.before), texts.get(pair.after)];
      if (before !== undefined && after !== undefined)
        addTo(groups, JSON.parse(before), JSON.parse(after), pair.members);
    }
    await setImmediate();
  }
  for (const { members } of groups.values()) members.sort((a, b) => (a.sandbox_name < b.sandbox_name ? -1 : 1));
  return [...groups.values()].sort((a, b) => b.members.length - a.members.length);
}

function addTo(
  groups: Map<string, RestorableGroup>,
  before: Template,
  after: Template,
  members: AdoptionTable[],
): void {
  const key = keyOf(before, after);
  const group = groups.get(key);
  if (group) group.members.push(...members);
  else groups.set(key, { key, members, before, after });
}

/** As a preview groups them: what a claim wrote into the metadata does not tell sandboxes apart, what changed there does. */
function keyOf(before: Template, after: Template): string {
  // Stored texts have their keys in order, and so does what is read from them.
  const text = JSON.stringify([before.spec, after.spec, metadataChange(before, after)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** What a draft's change stands for. */
export interface ResolvedChange {
  /** Undefined: hooks only. Whole: what it restores may be secret. */
  patch: Record<string, unknown> | undefined;
  /** Uids of the sandboxes that get back what they had; absent when nothing is restored. */
  restored?: ReadonlySet<string>;
}

export async function resolveChange(
  ctx: Context,
  namespace: string,
  change: UpgradeChange | undefined,
): Promise<Result<ResolvedChange>> {
  if (change === undefined || change.by === 'none') return ok({ patch: undefined });
  if (change.by === 'patch') return ok({ patch: change.patch });
  const seen = await seenOf(ctx, namespace, change.operation.uid);
  if (!seen.ok) return seen;
  const upgrade = change.operation.name;
  const group = seen.value.groups.find(({ key }) => key === change.group);
  if (!group) return refuse('precondition_failed', 'historyUnknown', { upgrade }, { applied: 'no' });
  const patch = inversePatch(group.before, group.after);
  const restored = new Set(group.members.map((member) => member.sandbox_uid));
  return patch
    ? ok({ patch, restored })
    : refuse('precondition_failed', 'notRestorable', { upgrade }, { applied: 'no' });
}

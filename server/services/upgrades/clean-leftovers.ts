import 'server-only';
import { z } from 'zod';
import { kubeObject } from '@/lib/contracts/objects';
import type { CleanLeftoversReply, CleanLeftoversRequest, LeftoverKind } from '@/lib/contracts/upgrade-leftovers';
import { selectionLabel } from '@/lib/contracts/upgrades';
import type { JsonPatchOp } from '@/lib/contracts/writes';
import { pointer } from '@/lib/domain/json-diff';
import type { PlanOperation } from '@/lib/domain/upgrades/targets';
import { isActive } from '@/lib/domain/upgrades/view';
import { inParallel } from '../../parallel';
import { fieldManager, type ServiceContext } from '../context';
import { mayWrite, objectPath, type Right, readLive, refusedByCluster } from '../gate';
import { ok, type Result, refuse } from '../result';
import { listOperations } from './list-sandboxes';

const right = { verb: 'patch', resource: 'sandboxes' } as const satisfies Right;
const atOnce = 8;
const prefix = 'agents.kruise.io/';

const liveSandbox = kubeObject.extend({
  spec: z.looseObject({ upgradePolicy: z.unknown().optional(), lifecycle: z.unknown().optional() }).default({}),
});
type LiveSandbox = z.infer<typeof liveSandbox>;
type Item = CleanLeftoversRequest['items'][number];
type Outcome = CleanLeftoversReply['items'][number];

/**
 * Takes away what ended operations left on sandboxes (domain T13, T44, T56), each by a JSON Patch that tests the sandbox's
 * uid and what is removed. A sandbox that an operation works on which is not over stays as it is. One outcome a sandbox.
 */
export async function cleanLeftovers(
  ctx: ServiceContext,
  { namespace, items, dryRun, reason }: CleanLeftoversRequest,
): Promise<Result<CleanLeftoversReply>> {
  const allowed = await mayWrite(ctx, namespace, right);
  if (!allowed.ok) return allowed;
  const operations = await listOperations(ctx, namespace);
  const outcomes = new Map<string, Outcome>();
  const intent = {
    action: 'cleanLeftovers' as const,
    actor: ctx.principal.subject,
    object: { kind: 'Sandbox', namespace, name: items.length === 1 ? (items[0]?.name ?? '') : '', uid: '' },
    before: Object.fromEntries(items.map(({ name, remove }) => [name, remove])),
    after: null,
    summary: `${items.length}: ${[...new Set(items.flatMap(({ remove }) => remove))].join(', ')}`,
    ...(reason ? { reason } : {}),
    requestId: ctx.requestId,
  };
  const id = dryRun ? undefined : ctx.audit.intend(intent);
  try {
    await inParallel(atOnce, items, async (item) => {
      const { uid, name } = item;
      outcomes.set(uid, { uid, name, ...(await clean(ctx, namespace, item, operations, dryRun)) });
    });
  } catch (fault) {
    if (id !== undefined) ctx.audit.conclude(id, intent, { result: 'unknown' });
    throw fault;
  }
  const done = items.flatMap(({ uid }) => outcomes.get(uid) ?? []);
  if (id !== undefined) ctx.audit.conclude(id, intent, summaryOf(done));
  return ok({ items: done });
}

function summaryOf(done: readonly Outcome[]) {
  const results = (['unknown', 'refused', 'accepted', 'unchanged'] as const).map(
    (result) => [result, done.filter((item) => item.result === result)] as const,
  );
  const [result, first] = results.find(([, items]) => items.length > 0) ?? ['unchanged' as const, []];
  const message = first[0]?.message;
  return { result, ...(message === undefined ? {} : { message: `${first[0]?.name}: ${message}` }) };
}

async function clean(
  ctx: ServiceContext,
  namespace: string,
  item: Item,
  operations: readonly PlanOperation[],
  dryRun: boolean,
): Promise<Pick<Outcome, 'result' | 'message'>> {
  const phase = { sent: false };
  const target = { namespace, name: item.name };
  try {
    const found = await readLive(
      ctx,
      { resource: 'sandboxes', kind: 'Sandbox', schema: liveSandbox },
      target,
      item.uid,
    );
    if (!found.ok) return refused(found);
    const held = heldBy(found.value, operations);
    if (held !== undefined) {
      const values = { sandbox: item.name, upgrade: held };
      return refused(refuse('precondition_failed', 'worksForUpgrade', values));
    }
    const patch = patchOf(found.value, item.remove);
    if (patch.length === 0) return { result: 'unchanged' };
    phase.sent = !dryRun;
    await ctx.cluster.client.request({
      method: 'PATCH',
      path: objectPath('sandboxes', target),
      query: { fieldManager, ...(dryRun ? { dryRun: 'All' } : {}) },
      contentType: 'application/json-patch+json',
      body: patch,
      as: ctx.principal,
    });
    return { result: 'accepted' };
  } catch (error) {
    return refused(refusedByCluster(error, ctx, namespace, right, phase));
  }
}

const refused = ({ problem }: { problem: { message: string; applied?: 'no' | 'unknown' | undefined } }) => ({
  result: problem.applied === 'unknown' ? ('unknown' as const) : ('refused' as const),
  message: problem.message,
});

/** The operation that works on the sandbox, or is about to by the label of a selection, and is not over. */
function heldBy({ metadata: { labels = {} } }: LiveSandbox, operations: readonly PlanOperation[]): string | undefined {
  const names = [labels[`${prefix}update-ops`], labels[selectionLabel]];
  return operations.find((op) => names.includes(op.name) && isActive(op))?.name;
}

const placeOf: Record<LeftoverKind, readonly string[]> = {
  upgradePolicy: ['spec', 'upgradePolicy'],
  hooks: ['spec', 'lifecycle'],
  failedLabel: ['metadata', 'labels', `${prefix}upgrade-failed`],
  selectionLabel: ['metadata', 'labels', selectionLabel],
};

/** [] when nothing of it is there any more. The generation keeps an operation out that adopts it in between. */
function patchOf({ metadata, spec }: LiveSandbox, remove: readonly LeftoverKind[]): JsonPatchOp[] {
  const seen: Record<LeftoverKind, unknown> = {
    upgradePolicy: spec.upgradePolicy,
    hooks: spec.lifecycle,
    failedLabel: metadata.labels?.[`${prefix}upgrade-failed`],
    selectionLabel: metadata.labels?.[selectionLabel],
  };
  const there = [...new Set(remove)].filter((kind) => seen[kind] !== undefined);
  if (there.length === 0) return [];
  const same = { '/metadata/uid': metadata.uid, '/metadata/generation': metadata.generation };
  const tests = Object.entries(same).filter(([, value]) => value !== undefined);
  return [
    ...tests.map(([path, value]) => ({ op: 'test' as const, path, value })),
    ...there.map((kind) => ({ op: 'test' as const, path: pointer(placeOf[kind]), value: seen[kind] })),
    ...there.map((kind) => ({ op: 'remove' as const, path: pointer(placeOf[kind]) })),
  ];
}

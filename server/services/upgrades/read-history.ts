import 'server-only';
import { z } from 'zod';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { UpgradeHistoryReply } from '@/lib/contracts/upgrade-history';
import type { ChosenSandbox } from '@/lib/contracts/upgrades';
import { redactObject } from '@/lib/domain/redact';
import { inversePatch } from '@/lib/domain/upgrades/inverse-patch';
import { KubeError } from '@/server/kube/errors';
import { can } from '../../access/can';
import { podsOf } from '../../history/adoptions';
import { collectionPath, type ObjectName, objectPath } from '../gate';
import { ok, type Result } from '../result';
import { listAs } from './list-sandboxes';
import { liveUpgrade, upgrades } from './live-upgrade';
import { rebuiltBefore, recordsOf } from './records';
import { type RestorableGroup, seenOf } from './restore';
import { refusedByHistory, type UpgradeContext } from './upgrade-context';

/**
 * What this console has seen or stored of an operation besides its row. Read as the person first, so that the API server
 * decides whether they may know; what is told of sandboxes takes the right to list them. Throws `KubeError`.
 */
export async function readHistory(ctx: UpgradeContext, name: ObjectName): Promise<Result<UpgradeHistoryReply>> {
  const answer = await ctx.cluster.client.request({
    method: 'GET',
    path: objectPath(upgrades, name),
    as: ctx.principal,
  });
  const { uid } = liveUpgrade.parse(answer.body).metadata;
  await ctx.cluster.client.request({
    method: 'GET',
    path: collectionPath('sandboxes', name.namespace),
    query: { limit: 1 },
    as: ctx.principal,
  });
  const seen = await seenOf(ctx, name.namespace, uid);
  if (!seen.ok) return seen;
  const { rows, groups } = seen.value;
  const adopted = adoptedBy(ctx, name);
  const told = recordsOf(rows, adopted);
  const all: ChosenSandbox[] = [...adopted, ...told.records.map(({ row }) => row)];
  const known = new Set(groups.flatMap(({ members }) => members.map((member) => member.sandbox_uid)));
  const rebuilt = await rebuiltBefore(ctx.history, uid, adopted).catch(refusedByHistory);
  if (!Array.isArray(rebuilt)) return rebuilt;
  return ok({
    time: ctx.now(),
    guard: await guardOf(ctx, name.namespace, uid),
    groups: groups.map(shown),
    unknown: all.flatMap(({ uid: of, name: called }) => (known.has(of) ? [] : { uid: of, name: called })),
    ...told,
    rebuilt,
    pods: Object.fromEntries(rows.map((row) => [row.sandbox_uid, podsOf(row)])),
    checkpoints: await checkpointsOf(ctx, name.namespace, new Set(adopted.map((sandbox) => sandbox.uid))),
  });
}

/** Whether an armed one could pause is asked for who set it: when it fires it is too late to learn. */
async function guardOf(ctx: UpgradeContext, namespace: string, uid: string): Promise<UpgradeHistoryReply['guard']> {
  const guard = ctx.guards.of(uid);
  const principal = ctx.guards.principalOf(uid);
  if (guard?.state !== 'armed' || !principal) return guard;
  const patching = { verb: 'patch', group: 'agents.kruise.io', resource: upgrades, namespace };
  const access = await can(ctx.cluster.client, principal, patching);
  return access.state === 'denied' ? { ...guard, unable: true } : guard;
}

function shown({ key, members, before, after }: RestorableGroup): UpgradeHistoryReply['groups'][number] {
  const inverse = inversePatch(before, after);
  return {
    key,
    sandboxes: members.map((member) => ({ uid: member.sandbox_uid, name: member.sandbox_name })),
    before: redactObject({ ...before }),
    after: redactObject({ ...after }),
    ...(inverse ? { inverse: redactObject(inverse) } : {}),
  };
}

function adoptedBy(ctx: UpgradeContext, { namespace, name }: ObjectName): SandboxRow[] {
  const adopted = [...ctx.sandboxes()].filter(({ ns, op }) => ns === namespace && op === name);
  return adopted.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const checkpoint = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    creationTimestamp: z.string().default(''),
    ownerReferences: z.array(z.looseObject({ kind: z.string(), uid: z.string() })).default([]),
  }),
  status: z.looseObject({ phase: z.string().default(''), checkpointId: z.string().optional() }).default({ phase: '' }),
});

/** The newest of each sandbox: those of an upgrade are deleted when it succeeds. Where they may not be listed, there are none to show. */
async function checkpointsOf(ctx: UpgradeContext, namespace: string, owners: ReadonlySet<string>) {
  const read = (object: unknown) => {
    const { metadata, status } = checkpoint.parse(object);
    const owner = metadata.ownerReferences.find(({ kind, uid }) => kind === 'Sandbox' && owners.has(uid));
    if (!owner) return undefined;
    const { phase, checkpointId: id } = status;
    const entry = { name: metadata.name, phase, ...(id === undefined ? {} : { id }) };
    return { owner: owner.uid, created: metadata.creationTimestamp, entry };
  };
  try {
    const found = await listAs(ctx, collectionPath('checkpoints', namespace), 'checkpoints', read);
    found.sort((a, b) => a.created.localeCompare(b.created));
    return Object.fromEntries(found.map(({ owner, entry }) => [owner, entry]));
  } catch (error) {
    if (error instanceof KubeError && (error.status === 403 || error.status === 404)) return {};
    throw error;
  }
}

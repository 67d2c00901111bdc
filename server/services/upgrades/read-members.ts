import 'server-only';
import { z } from 'zod';
import type { UpgradeMembersReply } from '@/lib/contracts/upgrade-members';
import { anyLabelSelector } from '@/lib/contracts/upgrades';
import { redactText } from '@/lib/domain/redact';
import { readOperation } from '@/lib/domain/upgrades/operation-reading';
import { classifyTargets } from '@/lib/domain/upgrades/targets';
import type { ServiceContext } from '../context';
import { type ObjectName, objectPath } from '../gate';
import { ok, type Result } from '../result';
import { listSandboxes, visibleOperations } from './list-sandboxes';
import { upgrades } from './live-upgrade';

/** An operation of kubectl may select everything: no selector at all, or an empty one. */
const selecting = z.looseObject({ spec: z.looseObject({ selector: z.unknown().transform((given) => given ?? {}) }) });

/** Which sandboxes match the operation without being adopted, and what becomes of them. Throws `KubeError`. */
export async function readMembers(
  ctx: Pick<ServiceContext, 'cluster' | 'principal' | 'now'>,
  { namespace, name }: ObjectName,
): Promise<Result<UpgradeMembersReply>> {
  const answer = await ctx.cluster.client.request({
    method: 'GET',
    path: objectPath(upgrades, { namespace, name }),
    as: ctx.principal,
  });
  const operation = readOperation(answer.body);
  const { success, data: selector } = anyLabelSelector.safeParse(selecting.parse(answer.body).spec.selector);
  // One that nobody can read selects nothing, to the controller either.
  if (!operation || !success) return ok({ time: ctx.now(), waiting: [], leftOut: [] });
  const [sandboxes, operations] = await Promise.all([
    listSandboxes(ctx, namespace, selector),
    visibleOperations(ctx, namespace),
  ]);
  const { targets, leftOut } = classifyTargets({
    sandboxes: sandboxes.filter((sandbox) => sandbox.operation !== name),
    // By itself nothing is kept from itself.
    operations: operations.filter((other) => other.name !== name),
    draft: { ...operation, targets: { by: 'labels', selector } },
    patch: operation.patch,
  });
  return ok({
    time: ctx.now(),
    waiting: targets.map((target) => ({ uid: target.uid, name: target.name })),
    leftOut: leftOut.map(({ detail, ...entry }) =>
      detail === undefined ? entry : { ...entry, detail: redactText(detail) },
    ),
  });
}

import 'server-only';
import { z } from 'zod';
import type { LabelSelector } from '@/lib/contracts/upgrades';
import type { CheckpointAnswers } from '@/lib/domain/upgrades/plan-problems';
import { readSandbox, type SandboxReading } from '@/lib/domain/upgrades/sandbox-reading';
import { selectorText } from '@/lib/domain/upgrades/selectors';
import type { PlanOperation } from '@/lib/domain/upgrades/targets';
import { KubeError } from '@/server/kube/errors';
import { listAll } from '@/server/kube/list-all';
import { agentsApi, type ServiceContext } from '../context';
import { collectionPath } from '../gate';

type Context = Pick<ServiceContext, 'cluster' | 'principal' | 'now'>;

const listTimeout = 60_000;

/** Lists as the person, page by page, and keeps of each object what `read` makes of it; throws `KubeError`. */
export async function listAs<T>(
  ctx: Context,
  path: string,
  kind: string,
  read: (object: unknown) => T | undefined,
  labelSelector?: string,
): Promise<T[]> {
  const found: T[] = [];
  await listAll(
    { request: (call) => ctx.cluster.client.request({ ...call, method: 'GET', as: ctx.principal }) },
    { kind, path, ...(labelSelector ? { labelSelector } : {}) },
    { listTimeout },
    new AbortController().signal,
    {
      begin: () => found.splice(0),
      item: (raw) => {
        const kept = read(raw);
        if (kept !== undefined) found.push(kept);
      },
    },
  );
  return found;
}

/** The Sandboxes of a namespace that a selector matches; an empty one, or none, matches all. */
export function listSandboxes(
  ctx: Context,
  namespace: string,
  selector: LabelSelector | undefined,
): Promise<SandboxReading[]> {
  const text = selector && selectorText(selector);
  return listAs(ctx, collectionPath('sandboxes', namespace), 'sandboxes', readSandbox, text);
}

const operation = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  status: z.looseObject({ phase: z.string().default('') }).default({ phase: '' }),
});

/** The operations of a namespace, the one that works first; throws `KubeError`. */
export async function listOperations(ctx: Context, namespace: string): Promise<PlanOperation[]> {
  const read = (object: unknown) => {
    const { success, data } = operation.safeParse(object);
    return success ? { name: data.metadata.name, phase: data.status.phase } : undefined;
  };
  const operations = await listAs(ctx, collectionPath('sandboxupdateops', namespace), 'sandboxupdateops', read);
  return operations.sort((a, b) => Number(b.phase === 'Updating') - Number(a.phase === 'Updating'));
}

/** The same for a plan, which can do without: a person who may not list them sees none, and the API server judges. */
export function visibleOperations(ctx: Context, namespace: string): Promise<PlanOperation[]> {
  return listOperations(ctx, namespace).catch((error: unknown) => {
    if (error instanceof KubeError && error.status === 403) return [];
    throw error;
  });
}

const checkpoint = z.looseObject({
  metadata: z.looseObject({ creationTimestamp: z.string().optional() }),
  status: z.looseObject({ phase: z.string().optional() }).optional(),
});
/** A controller may be slow with the first Checkpoint and write no phase before it is done; so slow is none. */
const silentMs = 10 * 60_000;

/**
 * Whether something takes up Checkpoints: OpenKruise Agents itself brings no such controller (domain 7.2). It shows by a phase
 * on any Checkpoint of the cluster. Without any Checkpoint, or where they may not be listed, nobody can tell.
 */
export async function checkpointsAnswered(ctx: Context, namespace: string): Promise<CheckpointAnswers> {
  try {
    const read = (object: unknown): CheckpointAnswers => {
      const { metadata, status } = checkpoint.parse(object);
      if (status?.phase) return 'answered';
      return ctx.now() - Date.parse(metadata.creationTimestamp ?? '') > silentMs ? 'silent' : 'waiting';
    };
    const seen = await listAs(ctx, `${agentsApi}/checkpoints`, 'checkpoints', read).catch((error: unknown) => {
      if (!(error instanceof KubeError) || error.status !== 403) throw error;
      return listAs(ctx, collectionPath('checkpoints', namespace), 'checkpoints', read);
    });
    return (['answered', 'silent', 'waiting'] as const).find((answer) => seen.includes(answer)) ?? 'unknown';
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return error.status === 404 ? 'noKind' : 'unknown';
  }
}

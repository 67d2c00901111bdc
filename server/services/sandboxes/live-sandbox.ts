import 'server-only';
import { z } from 'zod';
import { type KubeObject, kubeObject } from '@/lib/contracts/objects';
import type { SandboxAction, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import { readFacts } from '@/lib/domain/diagnosis/read-sandbox';
import { type ActionScene, permissionFor } from '@/lib/domain/sandbox-actions';
import { displayStateOf, stageOf } from '@/lib/domain/sandbox-state';
import { parseTime } from '@/lib/domain/time';
import { isActive } from '@/lib/domain/upgrades/view';
import { KubeError } from '@/server/kube/errors';
import type { ServiceContext } from '../context';
import { objectPath, readLive } from '../gate';
import { ok, type Result, refuse } from '../result';
import { writerOf } from '../writer';

const prefix = 'agents.kruise.io/';

const liveSandbox = kubeObject.extend({
  metadata: kubeObject.shape.metadata.extend({
    managedFields: z.array(z.unknown()).optional(),
    finalizers: z.array(z.string()).optional(),
  }),
  spec: z
    .looseObject({
      paused: z.boolean().optional(),
      pauseTime: z.string().nullish(),
      shutdownTime: z.string().nullish(),
      template: z.record(z.string(), z.unknown()).nullish(),
      templateRef: z.looseObject({ name: z.string() }).nullish(),
    })
    .default({}),
});
export type LiveSandbox = z.infer<typeof liveSandbox>;
export const parseSandbox = (body: unknown): LiveSandbox => liveSandbox.parse(body);

export const nameOf = ({ ns, name }: SandboxTarget) => ({ namespace: ns, name });

const kind = { resource: 'sandboxes', kind: 'Sandbox', schema: liveSandbox } as const;

/**
 * Reads the sandbox as it is now, and refuses when it is not the one the person saw, when it changed hands or its deadline did,
 * or when its state does not permit the action. `already`: nothing is left to do. Throws `KubeError`.
 */
export async function readForAction(
  ctx: ServiceContext,
  target: SandboxTarget,
  action: SandboxAction,
): Promise<Result<{ live: LiveSandbox; already: boolean }>> {
  const found = await readLive(ctx, kind, nameOf(target), target.uid, true);
  if (!found.ok) return found;
  const live = found.value;
  const moved = movedSince(live, target);
  if (moved) return moved;
  const permission = permissionFor(action, await sceneOf(ctx, target, live));
  if (permission.state === 'refused') {
    const values = { sandbox: target.name, why: permission.why, of: permission.of || 'none' };
    return refuse('precondition_failed', 'notNow', values, { applied: 'no' });
  }
  return ok({ live, already: permission.state === 'already' });
}

function movedSince(live: LiveSandbox, { name, seen = {} }: SandboxTarget): ReturnType<typeof refuse> | undefined {
  const { metadata, spec } = live;
  const idle = readFacts(live)?.idle ?? false;
  // The owner annotation of a pool member is the marker of a scale-down, not a person.
  const owner = idle ? undefined : metadata.annotations?.[`${prefix}owner`];
  const compared = [
    {
      field: `${prefix}owner`,
      now: owner || undefined,
      seen: seen.owner,
      path: ['metadata', 'annotations', `${prefix}owner`],
    },
    ...(['shutdownTime', 'pauseTime'] as const).map((field) => ({
      field: `spec.${field}`,
      now: saidTime(parseTime(spec[field])),
      seen: saidTime(seen[field === 'shutdownTime' ? 'shutdownAt' : 'pauseAt']),
      path: ['spec', field],
    })),
  ];
  const moved = compared.find((each) => each.seen !== undefined && (each.seen ?? undefined) !== each.now);
  if (!moved) return undefined;
  return refuse(
    'conflict',
    'sandboxMoved',
    {
      sandbox: name,
      field: moved.field,
      now: moved.now ?? 'none',
      seen: moved.seen ?? 'none',
      ...writerOf(metadata.managedFields, moved.path),
    },
    { applied: 'no' },
  );
}

function saidTime(at: number): string;
function saidTime(at: number | null | undefined): string | null | undefined;
function saidTime(at: number | null | undefined) {
  return typeof at === 'number' ? new Date(at).toISOString() : at;
}

/** The same scene as a row makes, from the object itself. */
async function sceneOf(ctx: ServiceContext, target: SandboxTarget, live: LiveSandbox): Promise<ActionScene> {
  const facts = readFacts(live);
  if (!facts) throw new Error('a sandbox without a name');
  const { labels = {}, finalizers = [] } = live.metadata;
  const upgraded = facts.conditions.Upgrading?.status === 'True';
  const op = upgraded ? undefined : labels[`${prefix}update-ops`];
  const { template, templateRef } = live.spec;
  return {
    state: displayStateOf(facts),
    phase: facts.phase,
    stage: stageOf(facts),
    paused: facts.paused,
    idle: facts.idle,
    operation: op && (await isAtWork(ctx, target.ns, op)) ? op : undefined,
    templateRef: template ? undefined : templateRef?.name,
    noTemplate: !template && !templateRef,
    finalizers,
  };
}

const operation = z.looseObject({ status: z.looseObject({ phase: z.string().default('') }).default({ phase: '' }) });

/** An operation that is gone or over works on nothing; one that may not be read is left to the API server. */
async function isAtWork(ctx: ServiceContext, namespace: string, name: string): Promise<boolean> {
  try {
    const path = objectPath('sandboxupdateops', { namespace, name });
    const answer = await ctx.cluster.client.request({ method: 'GET', path, as: ctx.principal });
    return isActive(operation.parse(answer.body).status);
  } catch (error) {
    if (error instanceof KubeError && (error.status === 404 || error.status === 403)) return false;
    throw error;
  }
}

/** The Pod of the sandbox's name, whoever made it; undefined when there is none. Throws `KubeError`. */
export async function readPodOf(ctx: ServiceContext, target: SandboxTarget): Promise<KubeObject | undefined> {
  try {
    const answer = await ctx.cluster.client.request({ method: 'GET', path: podPath(target), as: ctx.principal });
    return kubeObject.parse(answer.body);
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined;
    throw error;
  }
}

export const podPath = ({ ns, name }: SandboxTarget) =>
  `/api/v1/namespaces/${encodeURIComponent(ns)}/pods/${encodeURIComponent(name)}`;

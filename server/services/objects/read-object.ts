import 'server-only';
import { z } from 'zod';
import { type KubeObject, kubeObject, type ObjectReply, type ReadableKind } from '@/lib/contracts/objects';
import { redactObject } from '@/lib/domain/redact';
import { KubeError } from '@/server/kube/errors';
import { agentsApi, type ServiceContext } from '../context';
import { ok, type Result } from '../result';
import { eventRows } from './event-rows';

type Context = Pick<ServiceContext, 'cluster' | 'principal' | 'now'>;
type Named = { kind: ReadableKind; namespace: string; name: string };

const owner = z.looseObject({ uid: z.string(), controller: z.boolean().optional() });

const pathOf = ({ kind, namespace, name }: Named) =>
  `${kind === 'pods' ? '/api/v1' : agentsApi}/namespaces/${encodeURIComponent(namespace)}/${kind}/${encodeURIComponent(name)}`;

/**
 * The object as the cluster has it now, without secrets, its events, and the Pod of a sandbox.
 * The object is read as the person who asks, so the API server decides whether it may be seen; throws `KubeError`.
 */
export async function readObject(ctx: Context, target: Named): Promise<Result<ObjectReply>> {
  const object = await get(ctx, target);
  const [events, pod] = await Promise.all([
    readEvents(ctx, target, object.metadata.uid),
    target.kind === 'sandboxes' ? readPod(ctx, target, object.metadata.uid) : undefined,
  ]);
  return ok({
    time: ctx.now(),
    object: redactObject(object),
    ...events,
    ...(pod ? { pod: redactObject(pod) } : {}),
  });
}

async function get(ctx: Context, target: Named): Promise<KubeObject> {
  const answer = await ctx.cluster.client.request({ method: 'GET', path: pathOf(target), as: ctx.principal });
  return kubeObject.parse(answer.body);
}

/** Pods of a sandbox come and go under its name; their events are part of its story. */
async function readEvents(
  ctx: Context,
  { kind, namespace, name }: Named,
  uid: string,
): Promise<Pick<ObjectReply, 'events' | 'eventsProblem'>> {
  try {
    const answer = await ctx.cluster.client.request({
      method: 'GET',
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`,
      query: { fieldSelector: `involvedObject.name=${name}` },
      as: ctx.principal,
    });
    const isOurs = (about: { kind?: string; uid?: string }) =>
      about.uid === uid || (kind === 'sandboxes' && about.kind === 'Pod');
    return { events: eventRows(answer.body, isOurs) };
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return { events: null, eventsProblem: error.message };
  }
}

/** The Pod has the sandbox's name; one that another sandbox of that name left behind is not its Pod. */
async function readPod(ctx: Context, { namespace, name }: Named, uid: string): Promise<KubeObject | undefined> {
  try {
    const pod = await get(ctx, { kind: 'pods', namespace, name });
    const owners = z.array(owner).catch([]).parse(pod.metadata.ownerReferences);
    const controller = owners.find((o) => o.controller);
    return !controller || controller.uid === uid ? pod : undefined;
  } catch (error) {
    if (error instanceof KubeError) return undefined;
    throw error;
  }
}

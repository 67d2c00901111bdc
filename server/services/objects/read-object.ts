import 'server-only';
import { z } from 'zod';
import { type KubeObject, kubeObject, type ObjectReply, type ReadableKind } from '@/lib/contracts/objects';
import { record } from '@/lib/domain/read';
import { redactObject } from '@/lib/domain/redact';
import { templateRefOf } from '@/lib/domain/sandbox-asks';
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
 * The object as the cluster has it now, without secrets, its events, and the Pod, the SandboxTemplate and the checkpoints of a sandbox.
 * The object is read as the person who asks, so the API server decides whether it may be seen; throws `KubeError`.
 */
export async function readObject(ctx: Context, target: Named): Promise<Result<ObjectReply>> {
  const object = await get(ctx, target);
  const [events, pod, template, checkpoints] = await Promise.all([
    readEvents(ctx, target, object.metadata.uid),
    target.kind === 'sandboxes' ? readPod(ctx, target, object.metadata.uid) : undefined,
    target.kind === 'sandboxes' ? readTemplate(ctx, target.namespace, object) : undefined,
    target.kind === 'sandboxes' ? readCheckpoints(ctx, target) : undefined,
  ]);
  return ok({
    time: ctx.now(),
    object: redactObject(object),
    ...events,
    ...(pod ? { pod: redactObject(pod) } : {}),
    ...(template === undefined ? {} : { template: template && redactObject(template) }),
    ...(checkpoints ? { checkpoints: checkpoints.map((each) => redactObject(each)) } : {}),
  });
}

/** The same, for one that need not exist: null then. */
export async function readObjectIfAny(ctx: Context, target: Named): Promise<Result<ObjectReply | null>> {
  try {
    return await readObject(ctx, target);
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return ok(null);
    throw error;
  }
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

/** Null: there is none of the name that it refers to. */
async function readTemplate(ctx: Context, namespace: string, sandbox: KubeObject) {
  const name = templateRefOf(sandbox);
  if (name === undefined) return undefined;
  try {
    return await get(ctx, { kind: 'sandboxtemplates', namespace, name });
  } catch (error) {
    if (error instanceof KubeError) return error.status === 404 ? null : undefined;
    throw error;
  }
}

/** Older ones have no label that names their sandbox, so those of the namespace are asked for. */
const mostCheckpoints = 500;
const checkpointList = z.looseObject({ items: z.array(kubeObject).nullable() });

/** None where the kind is not there. */
async function readCheckpoints(ctx: Context, { namespace, name }: Named): Promise<KubeObject[] | undefined> {
  const path = `${agentsApi}/namespaces/${encodeURIComponent(namespace)}/checkpoints`;
  const query = { limit: String(mostCheckpoints) };
  try {
    const answer = await ctx.cluster.client.request({ method: 'GET', path, query, as: ctx.principal });
    const items = checkpointList.parse(answer.body).items ?? [];
    return items.filter(({ spec }) => [record(spec).sandboxName, record(spec).podName].includes(name));
  } catch (error) {
    if (error instanceof KubeError) return error.status === 404 ? [] : undefined;
    throw error;
  }
}

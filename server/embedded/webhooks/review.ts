import { z } from 'zod';
import { protectPod } from '../apiserver/admission/pod-protection';
import { isViewOf } from '../apiserver/admission/update-ops';
import { admit, mutate } from '../apiserver/admission/webhooks';
import { deepEqual, type KubeObject } from '../apiserver/core/objects';
import { StatusError } from '../apiserver/core/status';
import { Storage } from '../apiserver/core/storage';
import type { Api } from '../controllers/client/api';
import { isNotFound } from '../controllers/client/api';

const objectSchema = z.custom<KubeObject>((value) => typeof value === 'object' && value !== null);

export const reviewSchema = z.object({
  request: z.object({
    uid: z.string(),
    resource: z.object({ group: z.string(), resource: z.string() }),
    name: z.string().optional(),
    namespace: z.string().optional(),
    userInfo: z.object({ username: z.string(), groups: z.array(z.string()).optional() }),
    object: objectSchema.nullish(),
    oldObject: objectSchema.nullish(),
  }),
});
export type Request = z.infer<typeof reviewSchema>['request'];

interface Verdict {
  allowed: boolean;
  status?: { code: number; message: string; reason?: string };
  patchType?: 'JSONPatch';
  patch?: string;
}

const AGENTS = '/apis/agents.kruise.io/v1alpha1/namespaces';
const UPDATES = 'sandboxupdateops.agents.kruise.io';

/** Answers one call of an API server by the rules that the embedded one has built in. */
export async function judge(api: Api, ownUser: string, path: string, request: Request): Promise<Verdict> {
  const { group, resource: plural } = request.resource;
  const kind = { group, plural };
  const old = request.oldObject ?? undefined;
  const storage = new Storage();
  try {
    if (path.startsWith('validate-pod')) {
      // The controllers delete as this user; they evict nothing.
      const isOwn = request.userInfo.username === ownUser && path === 'validate-pod-delete';
      if (!isOwn) await protect(api, storage, path, request);
      return { allowed: true };
    }
    const { object } = request;
    if (object === null || object === undefined) return { allowed: true };
    if (path.startsWith('default-')) return patchOf(object, mutate(kind, object, old, storage));
    isViewOf(storage, api);
    if (plural === 'sandboxupdateops') await learnUpdates(api, storage, request.namespace ?? '');
    admit(kind, object, old, storage);
    return { allowed: true };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { code, reason } = error;
    // The API server puts the name of the webhook before the reason.
    const message = error.message.replace(/^admission webhook "[^"]+" denied the request: /, '');
    return { allowed: false, status: { code, message, ...(reason === undefined ? {} : { reason }) } };
  }
}

function patchOf(before: KubeObject, after: KubeObject): Verdict {
  if (deepEqual(before, after)) return { allowed: true };
  const patch = [{ op: 'add', path: '/spec', value: after.spec }];
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

/** Which updates there are in the namespace: only one may be active. */
async function learnUpdates(api: Api, storage: Storage, namespace: string): Promise<void> {
  const { items } = (await api.get(`${AGENTS}/${namespace}/sandboxupdateops`)) as { items: KubeObject[] };
  for (const item of items) storage.put(UPDATES, `${namespace}/${item.metadata.name}`, item);
}

async function protect(api: Api, storage: Storage, path: string, request: Request): Promise<void> {
  const { namespace = '', name = '' } = request;
  const pod = request.oldObject ?? (await found(api, `/api/v1/namespaces/${namespace}/pods/${name}`));
  const sandbox = await found(api, `${AGENTS}/${namespace}/sandboxes/${name}`);
  if (pod === undefined || sandbox === undefined) return;
  // A Storage writes its own versions, and nothing here asks for them.
  storage.put('sandboxes.agents.kruise.io', `${namespace}/${name}`, sandbox);
  const caller = { user: request.userInfo.username, groups: request.userInfo.groups ?? [] };
  const webhook = path === 'validate-pod-delete' ? 'v-pod-delete.kb.io' : 'v-pod-eviction.kb.io';
  protectPod(webhook, pod, caller, storage);
}

async function found(api: Api, path: string): Promise<KubeObject | undefined> {
  try {
    return (await api.get(path)) as KubeObject;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

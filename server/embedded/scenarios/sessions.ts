import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Api, isNotFound } from '../controllers/client/api';
import { type Sandbox, sandboxSchema } from '../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import { findCondition, timestamp } from '../controllers/rules/conditions';
import { ensure } from './objects';
import { dataNotebook, type PoolPlan, pythonTools } from './pools';

/** Label on sandboxes that this traffic made and may release. */
export const sessionLabel = 'sim.local/session';

const people = [
  'li.wei',
  'ana.souza',
  'tomas.novak',
  'priya.nair',
  'chen.yu',
  'm.okafor',
  'j.lindqvist',
  'sara.haddad',
];
const jobs = ['chat', 'eval', 'report', 'crawl', 'refactor', 'notebook', 'triage', 'summary'];
const pick = <T>(list: readonly T[], fallback: T): T => list[Math.floor(Math.random() * list.length)] ?? fallback;
const minutes = (from: number, to: number): number => (from + Math.random() * (to - from)) * 60_000;

export const listSchema = z.looseObject({ items: z.array(sandboxSchema) });

export async function listSandboxes(api: Api, namespace: string, selector: string): Promise<Sandbox[]> {
  const path = `${collectionPath(resources.sandboxes, namespace)}?labelSelector=${encodeURIComponent(selector)}`;
  return listSchema.parse(await api.get(path)).items;
}

/** A claim on the pool, unless one of its name is there; the object goes two minutes after it is done, the sandboxes stay. */
export async function claim(
  api: Api,
  plan: PoolPlan,
  name: string,
  replicas: number,
  labels: Record<string, string>,
  shutdownTime?: string,
): Promise<void> {
  await ensure(api, resources.sandboxclaims, {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxClaim',
    metadata: { name, namespace: plan.namespace },
    spec: {
      templateName: plan.name,
      replicas,
      labels,
      ttlAfterCompleted: '2m',
      envVars: { SESSION: name },
      ...(shutdownTime === undefined ? {} : { shutdownTime }),
    },
  });
}

interface Traffic {
  plan: PoolPlan;
  /** Sessions held open at the same time. */
  sessions: number;
  /** Of them paused. */
  paused: number;
}

const traffic: Traffic[] = [
  { plan: pythonTools, sessions: 16, paused: 4 },
  { plan: dataNotebook, sessions: 8, paused: 2 },
];

/**
 * One beat of steady traffic: at most one claim, one release, one pause and one resume per pool. Sessions end at their
 * shutdownTime, a few minutes after they were claimed; some pause themselves before.
 */
export async function sessionBeat(api: Api): Promise<void> {
  for (const { plan, sessions, paused } of traffic) {
    const open = (await listSandboxes(api, plan.namespace, `${sessionLabel}=${plan.name}`)).filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    );
    if (open.length < sessions || Math.random() < 0.1) await openSession(api, plan);
    if (open.length < sessions / 2) await openSession(api, plan);
    if (open.length > sessions) await close(api, open);
    const asleep = open.filter(({ spec }) => spec.paused === true);
    const awake = open.filter((one) => one.spec.paused !== true && one.status?.phase === 'Running');
    await setDeadlines(api, awake);
    if (asleep.length < paused && Math.random() < 0.5)
      await setPaused(api, pick<Sandbox | undefined>(awake, undefined), true);
    const resumable = asleep.filter((one) => findCondition(one.status?.conditions, 'SandboxPaused')?.status === 'True');
    if (asleep.length >= paused || Math.random() < 0.1)
      await setPaused(api, pick<Sandbox | undefined>(resumable, undefined), false);
  }
}

async function openSession(api: Api, plan: PoolPlan): Promise<void> {
  const user = pick(people, 'li.wei');
  const name = `${pick(jobs, 'chat')}-${user.replace('.', '-')}-${randomBytes(3).toString('hex')}`;
  const labels = { [sessionLabel]: plan.name, user };
  await claim(api, plan, name, Math.random() < 0.1 ? 2 : 1, labels, timestamp(Date.now() + minutes(3, 14)));
}

/** A claim has no pauseTime: about a third of the sessions get one afterwards. */
async function setDeadlines(api: Api, awake: Sandbox[]): Promise<void> {
  const fresh = awake.find(
    ({ spec, metadata }) =>
      spec.pauseTime === undefined && spec.upgradePolicy === undefined && metadata.uid.charCodeAt(0) % 3 === 0,
  );
  if (fresh !== undefined) await patch(api, fresh, { spec: { pauseTime: timestamp(Date.now() + minutes(1, 5)) } });
}

async function setPaused(api: Api, sandbox: Sandbox | undefined, paused: boolean): Promise<void> {
  // A pauseTime that has passed would pause it again at once.
  if (sandbox !== undefined) await patch(api, sandbox, { spec: { paused, pauseTime: null } });
}

async function close(api: Api, open: Sandbox[]): Promise<void> {
  const [oldest] = open.sort((a, b) =>
    (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1,
  );
  if (oldest !== undefined) await ignoreMissing(api.remove(objectPath(resources.sandboxes, oldest)));
}

export async function patch(api: Api, sandbox: Sandbox, body: unknown): Promise<void> {
  await ignoreMissing(api.patch(objectPath(resources.sandboxes, sandbox), body));
}

export async function ignoreMissing(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

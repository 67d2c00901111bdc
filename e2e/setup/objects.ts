import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { z } from 'zod';
import type { Api } from '../../server/embedded/controllers/client/api';

const apiVersion = 'agents.kruise.io/v1alpha1';

/** Unique in the cluster, short enough for every name that is made from it. */
export const randomName = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`;

/** The collection of an agents.kruise.io kind in a namespace, or an object of it. */
export const agentsPath = (namespace: string, plural: string, name?: string): string =>
  `/apis/${apiVersion}/namespaces/${namespace}/${plural}${name === undefined ? '' : `/${name}`}`;

const condition = z.looseObject({ type: z.string(), status: z.string() });

const sandboxSchema = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    uid: z.string(),
    deletionTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    ownerReferences: z.array(z.looseObject({ kind: z.string() })).optional(),
  }),
  spec: z.looseObject({ template: z.unknown().optional() }),
  status: z.looseObject({ phase: z.string().optional(), conditions: z.array(condition).optional() }).optional(),
});
export type Sandbox = z.infer<typeof sandboxSchema>;

const poolSchema = z.looseObject({
  metadata: z.looseObject({ name: z.string(), uid: z.string() }),
  spec: z.looseObject({ replicas: z.number(), template: z.record(z.string(), z.unknown()) }),
  status: z.looseObject({ availableReplicas: z.number().optional() }).optional(),
});
export type Pool = z.infer<typeof poolSchema>;

const listOf = <T extends z.ZodType>(item: T) => z.looseObject({ items: z.array(item) });
export const sandboxList = listOf(sandboxSchema);
export const poolList = listOf(poolSchema);
export const podList = listOf(
  z.looseObject({
    metadata: z.looseObject({ name: z.string() }),
    spec: z.looseObject({ nodeName: z.string().optional() }),
  }),
);

export interface PoolPlan {
  replicas: number;
  /** Of the main container; it has a sibling, variables and resources beside it. */
  image?: string;
  /** Image of an init container that stays; none without it. */
  runtime?: string;
  /** Annotations of the Pods, such as `sim.local/start-delay`. */
  annotations?: Record<string, string>;
}

export const firstImage = 'registry.local/e2e/tools:1.0';

/** Creates a SandboxSet and gives what the API server made of it. */
export async function createPool(api: Api, namespace: string, name: string, plan: PoolPlan): Promise<Pool> {
  const { replicas, image = firstImage, runtime, annotations } = plan;
  const template = {
    metadata: { labels: { app: 'e2e' }, ...(annotations ? { annotations } : {}) },
    spec: {
      ...(runtime ? { initContainers: [{ name: 'agent-runtime', image: runtime, restartPolicy: 'Always' }] } : {}),
      containers: [
        {
          name: 'sandbox',
          image,
          env: [
            { name: 'MODE', value: 'warm' },
            { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          ],
          resources: { requests: { cpu: '50m', memory: '32Mi' }, limits: { cpu: '1', memory: '256Mi' } },
          ports: [{ containerPort: 8888, name: 'http', protocol: 'TCP' }],
        },
        {
          name: 'log-shipper',
          image: 'registry.local/e2e/log-shipper:0.4',
          env: [{ name: 'LEVEL', value: 'info' }],
          resources: { limits: { memory: '64Mi' } },
        },
      ],
    },
  };
  const object = { apiVersion, kind: 'SandboxSet', metadata: { name, namespace }, spec: { replicas, template } };
  return poolSchema.parse(await api.create(agentsPath(namespace, 'sandboxsets'), object));
}

export async function readPool(api: Api, namespace: string, name: string): Promise<Pool> {
  return poolSchema.parse(await api.get(agentsPath(namespace, 'sandboxsets', name)));
}

/** Claims out of a pool that has enough in stock; the sandboxes carry `labels` from then on. */
export async function claim(
  api: Api,
  namespace: string,
  pool: string,
  replicas: number,
  labels: Record<string, string>,
): Promise<void> {
  const available = async () => (await readPool(api, namespace, pool)).status?.availableReplicas ?? 0;
  await expect.poll(available, { timeout: 30_000 }).toBeGreaterThanOrEqual(replicas);
  await api.create(agentsPath(namespace, 'sandboxclaims'), {
    apiVersion,
    kind: 'SandboxClaim',
    metadata: { name: randomName('claim'), namespace },
    spec: { templateName: pool, replicas, labels },
  });
}

/** Starts an upgrade of the sandboxes with these labels, by default one whose hook fails. */
export async function upgrade(
  api: Api,
  namespace: string,
  name: string,
  matchLabels: Record<string, string>,
): Promise<void> {
  await api.create(agentsPath(namespace, 'sandboxupdateops'), {
    apiVersion,
    kind: 'SandboxUpdateOps',
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels },
      updateStrategy: { type: 'Recreate', maxUnavailable: 1 },
      patch: { spec: { containers: [{ name: 'sandbox', image: 'registry.local/e2e/tools:2.0' }] } },
      lifecycle: { preUpgrade: { exec: { command: ['/bin/sh', '-c', 'fail'] }, timeoutSeconds: 10 } },
    },
  });
}

export async function sandboxesOf(api: Api, namespace: string, selector = ''): Promise<Sandbox[]> {
  const query = selector === '' ? '' : `?labelSelector=${encodeURIComponent(selector)}`;
  return sandboxList.parse(await api.get(`${agentsPath(namespace, 'sandboxes')}${query}`)).items;
}

const versioned = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }) });

/** The version of the cluster now. Versions are opaque; these are those of the embedded API server, which count up. */
export async function versionOf(api: Api, namespace: string): Promise<number> {
  return Number(versioned.parse(await api.get(agentsPath(namespace, 'sandboxes'))).metadata.resourceVersion);
}

export const isTrue = (sandbox: Sandbox, type: string): boolean =>
  sandbox.status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;

/** Sets `spec.paused` of a sandbox, as a session manager does. */
export async function setPaused(api: Api, namespace: string, name: string, paused: boolean): Promise<void> {
  await api.patch(agentsPath(namespace, 'sandboxes', name), { spec: { paused } });
}

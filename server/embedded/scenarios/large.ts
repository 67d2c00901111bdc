import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Api } from '../controllers/client/api';
import { metadataSchema } from '../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import type { ApiConnection } from '../controllers/connect';
import { timestamp } from '../controllers/rules/conditions';
import { annotation, label } from '../controllers/rules/keys';
import { ensure, ensureNamespace, ensureNodes } from './objects';
import { poolTemplate, pythonTools } from './pools';
import type { ScenarioContext } from './scenario';

const namespaces = 5;
const pools = 40;
const nodes = 20;
const writers = 32;
const defaultSandboxes = 10_000;

/** Sandboxes as their controllers would have left them, written ready-made: two calls each. */
export async function large({ api: connection, signal, sandboxes = defaultSandboxes }: ScenarioContext): Promise<void> {
  const api = new Api(connection);
  for (let i = 0; i < namespaces; i += 1) await ensureNamespace(api, `load-${i}`);
  await ensureNodes(api, nodes);
  for (let pool = 0; pool < pools; pool += 1) await createPool(api, pool, Math.ceil(sandboxes / pools));
  let next = 0;
  const write = async () => {
    while (next < sandboxes && !signal.aborted) await createSandbox(api, next++);
  };
  await Promise.all(Array.from({ length: writers }, write));
  api.close();
}

const poolName = (pool: number): string => `pool-${String(pool).padStart(2, '0')}`;
const poolNamespace = (pool: number): string => `load-${pool % namespaces}`;
const poolUid = new Map<number, string>();

async function createPool(api: Api, pool: number, size: number): Promise<void> {
  const set = { metadata: { name: poolName(pool), namespace: poolNamespace(pool) } };
  const plan = { ...pythonTools, name: poolName(pool) };
  const unclaimed = Math.round(size * 0.6);
  await ensure(api, resources.sandboxsets, {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxSet',
    ...set,
    spec: { replicas: unclaimed, template: poolTemplate(plan) },
  });
  const answer = z.looseObject({ metadata: metadataSchema }).parse(
    await api.patch(objectPath(resources.sandboxsets, set, 'status'), {
      status: {
        observedGeneration: 1,
        replicas: unclaimed,
        availableReplicas: unclaimed,
        updatedReplicas: unclaimed,
        updatedAvailableReplicas: unclaimed,
        updateRevision: 'b7f5d9c84',
        currentRevision: `${poolName(pool)}-b7f5d9c84`,
        selector: `${label.claimed}=false,${label.pool}=${poolName(pool)}`,
      },
    }),
  );
  poolUid.set(pool, answer.metadata.uid);
}

const condition = (type: string, status: string, reason: string, message = '') => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: timestamp(),
});

/** Phase and conditions of the n-th sandbox: nearly all Running, some of everything else. */
function situation(n: number): { phase: string; conditions: object[]; spec: object } {
  const ready = condition('Ready', 'True', 'PodReady');
  const unready = condition('Ready', 'False', 'PodReady');
  const calm = condition('InplaceUpdate', 'True', 'Succeeded');
  switch (n % 50) {
    case 7:
      return { phase: 'Pending', conditions: [], spec: {} };
    case 13:
    case 26:
      return {
        phase: 'Paused',
        conditions: [unready, calm, condition('SandboxPaused', 'True', 'StopPauseSucceed')],
        spec: { paused: true },
      };
    case 39:
      return {
        phase: 'Resuming',
        conditions: [
          unready,
          calm,
          condition('SandboxPaused', 'True', 'StopPauseSucceed'),
          condition('SandboxResumed', 'False', 'CreatePod'),
        ],
        spec: {},
      };
    case 48:
      return {
        phase: 'Upgrading',
        conditions: [
          condition('Ready', 'False', 'Upgrading', 'sandbox is upgrading'),
          condition('Upgrading', 'False', 'UpgradePod'),
        ],
        spec: { upgradePolicy: { type: 'Recreate' } },
      };
    default:
      return { phase: 'Running', conditions: [ready, calm], spec: {} };
  }
}

async function createSandbox(api: Api, n: number): Promise<void> {
  const pool = n % pools;
  const round = Math.floor(n / pools);
  const namespace = poolNamespace(pool);
  const name = `${poolName(pool)}-${String(round).padStart(5, '0')}`;
  const { phase, conditions, spec } = situation(round);
  // Only claimed sandboxes are paused, resumed or upgraded.
  const claimed = round % 5 < 2 || phase === 'Paused' || phase === 'Resuming' || phase === 'Upgrading';
  const owner = {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxSet',
    name: poolName(pool),
    uid: poolUid.get(pool),
  };
  const node = `worker-${String((n % nodes) + 1).padStart(2, '0')}`;
  const ip = `10.${64 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
  const object = { metadata: { name, namespace } };
  await ensure(api, resources.sandboxes, {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: {
      ...object.metadata,
      labels: {
        app: poolName(pool),
        [label.pool]: poolName(pool),
        [label.template]: poolName(pool),
        [label.claimed]: String(claimed),
        [label.templateHash]: 'b7f5d9c84',
        ...(claimed ? { [label.claimName]: `job-${round}` } : {}),
      },
      annotations: claimed
        ? { [annotation.claimTimestamp]: timestamp(), [annotation.owner]: `user-${round % 100}` }
        : {},
      ...(claimed ? {} : { ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] }),
    },
    spec: { ...spec, template: poolTemplate({ ...pythonTools, name: poolName(pool) }) },
  });
  const placed = phase !== 'Pending';
  await api.patch(objectPath(resources.sandboxes, object, 'status'), {
    status: {
      phase,
      observedGeneration: 1,
      updateRevision: 'c64xzb2z8',
      conditions,
      podInfo: placed ? { nodeName: node, podIP: ip, podUID: `${name}-pod` } : {},
      ...(placed ? { nodeName: node, sandboxIp: ip } : {}),
    },
  });
}

const namesPage = z.looseObject({
  metadata: z.looseObject({ continue: z.string().optional() }),
  items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string(), namespace: z.string() }) })),
});

type ObjectName = { name: string; namespace: string };

export interface ChurnReport {
  changes: number;
  /** Changes for which no writer was free: the API server was the limit. */
  skipped: number;
}

export interface ChurnOptions {
  api: ApiConnection;
  ratePerSecond: number;
  /** This share of all changes (0 to 1) goes to these sandboxes, in turn; their Ready condition carries the stamp, too. */
  hot?: { names: readonly ObjectName[]; share: number };
  signal: AbortSignal;
}

/**
 * Changes the status of random sandboxes until the signal, at a steady rate: mostly Running, some Paused, with `message` set to
 * `t=<epoch ms>` taken before the write, so that a reader can tell how late it is.
 */
export async function churn(options: ChurnOptions): Promise<ChurnReport> {
  const api = new Api(options.api);
  const names: { metadata: ObjectName }[] = [];
  let token = '';
  do {
    const query = `?limit=2000${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
    const page = namesPage.parse(await api.get(`${collectionPath(resources.sandboxes)}${query}`));
    names.push(...page.items);
    token = page.metadata.continue ?? '';
  } while (token !== '');
  const report: ChurnReport = { changes: 0, skipped: 0 };
  const start = Date.now();
  let due = 0;
  const hot = options.hot ?? { names: [], share: 0 };
  let hotTurn = 0;
  const nextHot = () => {
    const metadata = Math.random() < hot.share ? hot.names[hotTurn++ % hot.names.length] : undefined;
    return metadata && { metadata };
  };
  const flying = new Set<Promise<void>>();
  const change = async (object: (typeof names)[number], isHot: boolean) => {
    const at = timestamp();
    const paused = !isHot && Math.random() < 0.1;
    const ready = !paused && !isHot ? 'True' : 'False';
    const stamp = `t=${Date.now()}`;
    // What is not ready says why, and that is what a list of sandboxes shows.
    const message = isHot ? stamp : '';
    const status = {
      phase: paused ? 'Paused' : 'Running',
      message: stamp,
      conditions: [
        { type: 'Ready', status: ready, reason: 'PodReady', message, lastTransitionTime: at },
        { type: 'InplaceUpdate', status: 'True', reason: 'Succeeded', message: '', lastTransitionTime: at },
      ],
    };
    await api.patch(objectPath(resources.sandboxes, object, 'status'), { status });
    report.changes += 1;
  };
  while (!options.signal.aborted) {
    for (const until = ((Date.now() - start) / 1000) * options.ratePerSecond; due < until; due += 1) {
      const hotOne = nextHot();
      const object = hotOne ?? names[Math.floor(Math.random() * names.length)];
      if (object === undefined || flying.size >= writers) {
        report.skipped += 1;
        continue;
      }
      const one: Promise<void> = change(object, hotOne !== undefined)
        .catch((error) => console.warn(`churn: ${String(error)}`))
        .finally(() => flying.delete(one));
      flying.add(one);
    }
    await sleep(5, undefined, { signal: options.signal }).catch(() => {});
  }
  await Promise.all(flying);
  api.close();
  return report;
}

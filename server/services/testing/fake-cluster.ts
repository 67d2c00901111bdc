import type { KindFreshness } from '@/lib/contracts/stream';
import type { JsonPatchOp } from '@/lib/contracts/writes';
import { httpError, KubeError } from '@/server/kube/errors';
import { builtInPrincipal } from '../../access/principal';
import { makeAudit } from '../../history/audit';
import { makeLog } from '../../log';
import type { KubeAnswer, KubeCall, ServiceContext } from '../context';

/** A pool as the API server keeps it; the template is the one of the recordings. */
export type StoredPool = {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    generation: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    managedFields?: unknown[];
  };
  spec: { replicas: number; template?: Record<string, unknown>; templateRef?: { name: string } };
};

export const template = () => ({
  metadata: { labels: { app: 'code' } },
  spec: {
    initContainers: [{ name: 'runtime', image: 'registry.local/agent-runtime:v1', restartPolicy: 'Always' }],
    containers: [
      {
        name: 'sandbox',
        image: 'registry.local/code:v1',
        env: [{ name: 'MODE', value: 'dev' }],
        resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
      },
    ],
    terminationGracePeriodSeconds: 30,
  },
});

export const storedPool = (over: Partial<StoredPool['spec']> = {}): StoredPool => ({
  apiVersion: 'agents.kruise.io/v1alpha1',
  kind: 'SandboxSet',
  metadata: { name: 'web', namespace: 'lab', uid: 'u-1', resourceVersion: '100', generation: 1 },
  spec: { replicas: 3, template: template(), ...over },
});

type Allows = (right: { verb: string; resource: string; subresource?: string }) => boolean;

/**
 * One pool behind the calls that services make, so that a test can put a fault exactly where it wants it.
 * What a real API server answers is proved by the contract test; here the answers are those of the recordings.
 */
export function fakeCluster(pool: StoredPool = storedPool()) {
  const lines: Record<string, unknown>[] = [];
  const world = {
    pool: pool as StoredPool | undefined,
    /** Every call but access reviews, in order. */
    calls: [] as KubeCall[],
    /** Called before a PATCH is applied; throw to refuse, change `world` to race. */
    onPatch: (() => undefined) as (call: KubeCall) => void,
    allows: (() => true) as Allows,
    freshness: { kind: 'sandboxsets', state: 'live', provenAt: 1_000_000 } as KindFreshness,
    now: 1_000_000,
    warnings: [] as string[],
    lines,
  };
  const audit = makeAudit(makeLog({ write: (line: string) => void lines.push(JSON.parse(line)) }), () => world.now);
  const ctx: ServiceContext = {
    cluster: {
      client: { request: async (call) => answer(world, call) },
      freshness: () => ({
        kinds: [world.freshness],
        cluster: { name: 'lab-1', server: 'http://x', embedded: true, missing: [] },
      }),
    },
    principal: builtInPrincipal({ CONSOLE_USER: 'mara' }),
    requestId: 'req-00001',
    audit,
    now: () => world.now,
  };
  return { world, ctx };
}

type World = ReturnType<typeof fakeCluster>['world'];

function answer(world: World, call: KubeCall): KubeAnswer {
  if (call.path.endsWith('/selfsubjectaccessreviews')) {
    const { spec } = call.body as { spec: { resourceAttributes: Parameters<Allows>[0] } };
    return { status: 201, body: { status: { allowed: world.allows(spec.resourceAttributes) } }, warnings: [] };
  }
  world.calls.push(structuredClone(call));
  if (call.method === 'PATCH') world.onPatch(call);
  const pool = world.pool;
  if (!pool) {
    const message = 'sandboxsets.agents.kruise.io "web" not found';
    throw httpError(404, { kind: 'Status', message, reason: 'NotFound', code: 404 });
  }
  if (call.method === 'GET') return { status: 200, body: structuredClone(pool), warnings: [] };

  const next = structuredClone(pool);
  if (call.path.endsWith('/scale')) {
    next.spec.replicas = (call.body as { spec: { replicas: number } }).spec.replicas;
  } else {
    applyJsonPatch(next, call.body as JsonPatchOp[]);
  }
  if (JSON.stringify(next) !== JSON.stringify(pool)) {
    next.metadata.generation += 1;
    if (call.query?.dryRun === undefined) {
      next.metadata.resourceVersion = String(Number(pool.metadata.resourceVersion) + 1);
      world.pool = next;
    }
  }
  if (!call.path.endsWith('/scale')) return { status: 200, body: structuredClone(next), warnings: world.warnings };
  const { name, namespace, uid, resourceVersion } = next.metadata;
  // A Scale of 0 comes back without the number (omitempty).
  const spec = next.spec.replicas === 0 ? {} : { replicas: next.spec.replicas };
  const body = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion },
    spec,
  };
  return { status: 200, body, warnings: world.warnings };
}

const refusedPatch = {
  kind: 'Status',
  message: 'the server rejected our request due to an error in our request',
  reason: 'Invalid',
  details: {},
  code: 422,
};

function applyJsonPatch(target: unknown, ops: JsonPatchOp[]): void {
  for (const { op, path, value } of ops) {
    const keys = path
      .split('/')
      .slice(1)
      .map((k) => k.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    let parent = target as Record<string, unknown>;
    for (const key of keys) {
      const child = parent[key];
      if (typeof child !== 'object' || child === null) throw httpError(422, refusedPatch);
      parent = child as Record<string, unknown>;
    }
    if (op === 'test') {
      if (JSON.stringify(parent[last]) !== JSON.stringify(value)) throw httpError(422, refusedPatch);
    } else if (Array.isArray(parent)) {
      if (op === 'add') parent.splice(last === '-' ? parent.length : Number(last), 0, value);
      if (op === 'replace') parent[Number(last)] = value;
      if (op === 'remove') parent.splice(Number(last), 1);
    } else if (op === 'remove') {
      if (!(last in parent)) throw httpError(422, refusedPatch);
      delete parent[last];
    } else {
      parent[last] = structuredClone(value);
    }
  }
}

export const timeout = () => new KubeError({ cause: 'timeout', message: 'no answer within 15 s' });

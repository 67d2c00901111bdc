import type { Api } from '../controllers/client/api';
import { resources } from '../controllers/client/resources';
import { ensure } from './objects';

export interface PoolPlan {
  name: string;
  namespace: string;
  replicas: number;
  image: string;
  cpu: [request: string, limit: string];
  memory: [request: string, limit: string];
  env: Record<string, string>;
  port: number;
  /** Image of the agent-runtime init container. */
  runtime: string;
}

const runtimeByTag = 'registry.local/agents/agent-runtime:v0.6.0';
const runtimeByDigest = `registry.local/agents/agent-runtime@sha256:${'4f1e0a7c93b2d586'.repeat(4)}`;

export const prod = 'agents-prod';
export const batch = 'agents-batch';

export const pythonTools: PoolPlan = {
  name: 'python-tools',
  namespace: prod,
  replicas: 24,
  image: 'registry.local/agents/python-tools:3.13.1',
  cpu: ['250m', '2'],
  memory: ['256Mi', '1Gi'],
  env: { PYTHONUNBUFFERED: '1', PIP_INDEX_URL: 'http://pypi.internal/simple' },
  port: 8888,
  runtime: runtimeByTag,
};

/** Nothing is ready in it, so what a sandbox costs that is made when it is asked for can be compared. */
export const pythonCold: PoolPlan = { ...pythonTools, name: 'python-cold', replicas: 0 };

/** Its runtime is pinned by digest: sandboxes run, but none of them comes back from a pause. */
export const browserTools: PoolPlan = {
  name: 'browser-tools',
  namespace: prod,
  replicas: 8,
  image: 'registry.local/agents/browser-tools:1.56.0',
  cpu: ['500m', '2'],
  memory: ['1Gi', '2Gi'],
  env: { DISPLAY: ':99', BROWSER_HEADLESS: 'true' },
  port: 9222,
  runtime: runtimeByDigest,
};

export const dataNotebook: PoolPlan = {
  name: 'data-notebook',
  namespace: batch,
  replicas: 14,
  image: 'registry.local/agents/data-notebook:2026.10',
  cpu: ['1', '4'],
  memory: ['2Gi', '8Gi'],
  env: { JUPYTER_ENABLE_LAB: 'yes', OMP_NUM_THREADS: '4' },
  port: 8889,
  runtime: runtimeByTag,
};

/** Creates the pool; one that exists keeps what people made of it. */
export function ensurePool(api: Api, plan: PoolPlan): Promise<void> {
  return ensure(api, resources.sandboxsets, {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxSet',
    metadata: { name: plan.name, namespace: plan.namespace },
    spec: {
      replicas: plan.replicas,
      pauseStrategy: { type: 'Stop' },
      updateStrategy: { maxUnavailable: '20%' },
      // The template brings the runtime itself; named here, claims call its /init.
      runtimes: [{ name: 'agent-runtime' }],
      template: poolTemplate(plan),
    },
  });
}

export const poolTemplate = (plan: PoolPlan) => ({
  metadata: { labels: { app: plan.name } },
  spec: {
    automountServiceAccountToken: false,
    initContainers: [{ name: 'agent-runtime', image: plan.runtime, restartPolicy: 'Always' }],
    containers: [
      {
        name: 'sandbox',
        image: plan.image,
        env: Object.entries(plan.env).map(([name, value]) => ({ name, value })),
        ports: [{ name: 'http', containerPort: plan.port }],
        resources: {
          requests: { cpu: plan.cpu[0], memory: plan.memory[0] },
          limits: { cpu: plan.cpu[1], memory: plan.memory[1] },
        },
      },
    ],
  },
});

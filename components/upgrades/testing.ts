import { vi } from 'vitest';
import { guardedAction } from '@/lib/contracts/access';
import type { UpgradeRow } from '@/lib/contracts/rows';
import type { UpgradeHistoryReply, UpgradeMembersReply } from '@/lib/contracts/upgrades';

/** An operation for tests: running, taken up by the controller. */
export function operation(over: Partial<UpgradeRow> & { name: string }): UpgradeRow {
  return {
    uid: `uid-${over.name}`,
    ns: 'demo',
    gen: 1,
    phase: 'Updating',
    total: 10,
    updated: 0,
    updating: 0,
    failed: 0,
    strategy: 'Recreate',
    maxUnavailable: 1,
    selector: 'agents.kruise.io/sandbox-pool=tools',
    hasPatch: true,
    taken: true,
    created: Date.now() - 600_000,
    ...over,
  };
}

/** An adopted sandbox whose upgrade failed in a hook. */
export const failedHook = (op: string) => ({
  op,
  claimed: true as const,
  gen: 3,
  obs: 3,
  phase: 'Upgrading',
  state: 'Upgrading' as const,
  stage: 'PostUpgradeFailed',
  message: 'hook failed with exit code 3',
  since: Date.now() - 65_000,
  sinceFrom: 'condition' as const,
});

export const history = (over: Partial<UpgradeHistoryReply> = {}): UpgradeHistoryReply => ({
  time: 1,
  guard: null,
  groups: [],
  unknown: [],
  pods: {},
  checkpoints: {},
  ...over,
});

export const members = (over: Partial<UpgradeMembersReply> = {}): UpgradeMembersReply => ({
  time: 1,
  waiting: [],
  leftOut: [],
  ...over,
});

/** The whole object of an operation, as the console's API gives it. */
export const wholeOperation = (name: string, spec: object = {}) => ({
  time: 1,
  object: {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxUpdateOps',
    metadata: { name, namespace: 'demo', uid: `uid-${name}` },
    spec: {
      selector: { matchLabels: { app: 'tools' } },
      patch: { spec: { containers: [{ name: 'main', image: 'code:v2' }] } },
      updateStrategy: { type: 'Recreate', maxUnavailable: 1 },
      ...spec,
    },
  },
  events: [],
});

type Sent = { path: string; body: Record<string, unknown> };
type Answer = { status?: number; body: unknown };

const fieldOf = (change: unknown) => change as { from?: unknown; to?: unknown } | undefined;

export function receiptOf({ body }: Sent) {
  const change = fieldOf(body.change);
  return {
    id: 'r-1',
    at: 1,
    actor: 'mara',
    dryRun: body.dryRun === true,
    action: 'pauseUpgrade',
    object: { kind: 'SandboxUpdateOps', namespace: 'demo', name: 'november', uid: 'uid-november' },
    changed: true,
    before: change?.from ?? null,
    after: change?.to ?? null,
    resourceVersion: '88',
    kubectl: 'kubectl …',
    warnings: [],
  };
}

/** The console's API: everything is granted; reads by the end of their path, the rest is not found; writes go to `onPost`. */
export function fakeApi(reads: Record<string, unknown> = {}) {
  const api = {
    sent: [] as Sent[],
    onPost: (sent: Sent): Answer | Promise<Answer> => ({ body: receiptOf(sent) }),
    /** Writes that were not dry runs. */
    writes: () => api.sent.filter(({ body }) => body.dryRun !== true),
  };
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const reply = ({ status = 200, body }: Answer) => Response.json(body, { status });
    if (init?.method === 'POST') {
      const sent = { path, body: JSON.parse(String(init.body)) };
      api.sent.push(sent);
      return reply(await api.onPost(sent));
    }
    if (path.startsWith('/api/v1/access')) {
      const right = { state: 'allowed', verb: 'patch', group: 'agents.kruise.io', resource: 'sandboxupdateops' };
      const actions = Object.fromEntries(guardedAction.options.map((action) => [action, right]));
      return reply({ body: { time: 1, person: { subject: 'mara', groups: [], impersonated: false }, actions } });
    }
    const found = Object.entries(reads).find(([end]) => path.endsWith(end))?.[1];
    const missing = { code: 'not_found', status: 404, message: 'not found', requestId: 'r' };
    return reply(found ? { body: found } : { status: 404, body: missing });
  });
  return api;
}

import type { UpgradeRow } from '@/lib/contracts/rows';
import type { UpgradeHistoryReply } from '@/lib/contracts/upgrade-history';
import type { UpgradeMembersReply } from '@/lib/contracts/upgrade-members';
import { type Answer, consoleApi, receiptTo, type Sent } from '../testing/console-api';

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
  records: [],
  steps: {},
  rebuilt: [],
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

const fieldOf = (change: unknown) => change as { from?: unknown; to?: unknown } | undefined;

export function receiptOf({ body }: Pick<Sent, 'body'>) {
  const change = fieldOf(body.change);
  return receiptTo(body, {
    action: 'pauseUpgrade',
    object: { kind: 'SandboxUpdateOps', namespace: 'demo', name: 'november', uid: 'uid-november' },
    before: change?.from ?? null,
    after: change?.to ?? null,
  });
}

/** The console's API: everything is granted; reads by the end of their path; writes go to `onPost`. */
export function fakeApi(reads: Record<string, unknown> = {}) {
  const api = { onPost: (sent: Sent): Answer | Promise<Answer> => ({ body: receiptOf(sent) }) };
  const sent = consoleApi({
    onPost: (one) => api.onPost(one),
    onGet: (path) => Object.entries(reads).find(([end]) => path.endsWith(end))?.[1],
  });
  /** `writes`: those that were not dry runs. */
  return Object.assign(api, { sent, writes: () => sent.filter(({ body }) => body.dryRun !== true) });
}

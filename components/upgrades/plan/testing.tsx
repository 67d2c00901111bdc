import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import type { GuardedAction } from '@/lib/contracts/access';
import type { UpgradePreviewReply, UpgradePreviewRequest, UpgradeTarget } from '@/lib/contracts/upgrade-preview';
import type { AppLocale } from '@/lib/i18n';
import { sandbox } from '@/lib/live/testing';
import { type Answer, consoleApi, receiptTo } from '../../testing/console-api';
import { renderConsole } from '../../testing/render-console';
import { planUpgrade } from './hand-over';
import { PlanPage } from './plan-page';

export const target = (name: string, over: Partial<UpgradeTarget> = {}): UpgradeTarget => ({
  uid: `u-${name}`,
  name,
  group: 'g',
  phase: 'Running',
  claimed: true,
  owner: 'ann',
  ...over,
});

export const template = (image = 'code:v1') => ({
  spec: {
    containers: [
      {
        name: 'main',
        image,
        env: [
          { name: 'MODE', value: 'dev' },
          { name: 'API_TOKEN', value: '•••' },
        ],
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
  },
});

export const previewOf = (over: Partial<UpgradePreviewReply> = {}): UpgradePreviewReply => ({
  time: 1,
  selector: 'agents.kruise.io/sandbox-pool=web',
  targets: [target('web-a'), target('web-b', { owner: 'bob' })],
  leftOut: [],
  groups: [{ key: 'g', count: 2, sample: 'web-a', before: template(), after: template('code:v2') }],
  problems: [],
  active: [],
  ...over,
});

export function receiptOf(body: Record<string, unknown>) {
  const { namespace, name } = body.draft as { namespace: string; name: string };
  const object = { kind: 'SandboxUpdateOps', namespace, name, uid: 'op-1' };
  return receiptTo(body, { action: 'createUpgrade', object, after: {}, kubectl: 'kubectl apply …' });
}

/** The console's API: previews are answered by `onPreview`, writes by `onCreate`, everything else is granted or not found. */
export function fakeApi() {
  const api = {
    /** What the person may not do. */
    denied: [] as GuardedAction[],
    onPreview: (_asked: UpgradePreviewRequest): Answer | Promise<Answer> => ({ body: previewOf() }),
    onCreate: (body: Record<string, unknown>): Answer => ({ body: receiptOf(body) }),
  };
  const sent = consoleApi({
    right: (action) => ({
      state: api.denied.includes(action) ? 'denied' : 'allowed',
      verb: action === 'createUpgrade' ? 'create' : 'patch',
      resource: action.endsWith('Upgrade') ? 'sandboxupdateops' : 'sandboxes',
    }),
    onPost: ({ path, body }) =>
      path.endsWith('/preview') ? api.onPreview(body as UpgradePreviewRequest) : api.onCreate(body),
  });
  return Object.assign(api, {
    sent,
    previews: () => sent.filter(({ path }) => path.endsWith('/preview')),
    /** Writes that were not dry runs. */
    writes: () => sent.filter(({ path, body }) => path === '/api/v1/upgrades' && body.dryRun === false),
  });
}

/** Renders the page on a cluster with one pool, `lab/web`, of which `claimed` sandboxes are in use. */
export async function openPlan(options: { search?: string; locale?: AppLocale; claimed?: number } = {}) {
  const { search = '?pool=lab/web', locale = 'en', claimed = 2 } = options;
  const rows = {
    namespaces: [{ uid: 'n', name: 'lab' }],
    sandboxsets: [{ uid: 'p', ns: 'lab', name: 'web', desired: 3, images: [] }],
    sandboxes: Array.from({ length: claimed }, (_, i) =>
      sandbox(`s-${i}`, { ns: 'lab', pool: 'web', claimed: true as const }),
    ),
  };
  const view = await renderConsole(<PlanPage />, { rows, search, locale });
  return { ...view, user: userEvent.setup({ delay: null }) };
}

export const set = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
export const step = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name} \\(`) });

/** The review of a whole plan for two claimed sandboxes. */
export async function openReview(over: Partial<Parameters<typeof planUpgrade>[0]> = {}) {
  const href = planUpgrade({
    namespace: 'lab',
    targets: { by: 'pool', pool: 'web' },
    change: { by: 'patch', patch: { spec: { containers: [{ name: 'main', image: 'code:v2' }] } } },
    name: 'next',
    maxUnavailable: 1,
    ...over,
  });
  return openPlan({ search: `${href.slice(href.indexOf('?'))}&step=review` });
}
export const startButton = () => screen.getByRole('button', { name: /^Upgrade \d+ sandbox.*…$/ });
export const enabled = () => waitFor(() => expect(startButton().getAttribute('aria-disabled')).toBeNull());

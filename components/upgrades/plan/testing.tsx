import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { guardedAction } from '@/lib/contracts/access';
import type { UpgradePreviewReply, UpgradePreviewRequest, UpgradeTarget } from '@/lib/contracts/upgrades';
import type { AppLocale } from '@/lib/i18n';
import { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../../testing/render-console';
import { PlanPage } from './plan-page';

type Sent = { path: string; body: Record<string, unknown>; signal: AbortSignal | undefined };
type Answer = { status?: number; body: unknown };

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
  const draft = body.draft as { namespace: string; name: string };
  return {
    id: 'r-1',
    at: 1,
    actor: 'mara',
    dryRun: body.dryRun === true,
    action: 'createUpgrade',
    object: { kind: 'SandboxUpdateOps', namespace: draft.namespace, name: draft.name, uid: 'op-1' },
    changed: true,
    before: null,
    after: {},
    resourceVersion: '88',
    kubectl: 'kubectl apply …',
    warnings: [],
  };
}

/** The console's API: previews are answered by `onPreview`, writes by `onCreate`, everything else is granted or empty. */
export function fakeApi() {
  const api = {
    sent: [] as Sent[],
    onPreview: (_asked: UpgradePreviewRequest): Answer | Promise<Answer> => ({ body: previewOf() }),
    onCreate: (body: Record<string, unknown>): Answer => ({ body: receiptOf(body) }),
    previews: () => api.sent.filter(({ path }) => path.endsWith('/preview')),
    /** Writes that were not dry runs. */
    writes: () => api.sent.filter(({ path, body }) => path === '/api/v1/upgrades' && body.dryRun === false),
  };
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const reply = ({ status = 200, body }: Answer) => Response.json(body, { status });
    if (init?.method === 'POST') {
      const body = JSON.parse(String(init.body));
      api.sent.push({ path, body, signal: init.signal ?? undefined });
      return reply(path.endsWith('/preview') ? await api.onPreview(body) : api.onCreate(body));
    }
    if (path.startsWith('/api/v1/access')) {
      const right = { state: 'allowed', verb: 'create', group: 'agents.kruise.io', resource: 'sandboxupdateops' };
      const actions = Object.fromEntries(guardedAction.options.map((action) => [action, right]));
      const person = { subject: 'mara', groups: [], impersonated: false };
      return reply({ body: { time: 1, person, namespace: 'lab', actions } });
    }
    return reply({ status: 404, body: { code: 'not_found', status: 404, message: 'not found', requestId: 'r' } });
  });
  return api;
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

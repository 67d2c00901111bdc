import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import { NextIntlClientProvider } from 'next-intl';
import type { ReactElement } from 'react';
import { beforeEach, vi } from 'vitest';
import { guardedAction } from '@/lib/contracts/access';
import type { PoolRow, RowKind, SandboxRow } from '@/lib/contracts/rows';
import type { Receipt, RecentAction } from '@/lib/contracts/writes';
import { type AppLocale, messagesOf, PreferencesProvider } from '@/lib/i18n';
import type { LiveStatus } from '@/lib/live';
import { leaveNothing } from '../../testing/leave-nothing';
import { TooltipProvider } from '../../ui';

// A busy machine is slow, not wrong; and telling what is hidden behind a dialog is most of a query's work.
configure({ asyncUtilTimeout: 10_000, defaultHidden: true });
vi.setConfig({ testTimeout: 60_000 });

/** What `@/lib/live` answers in these tests; a test file mocks the module with {@link liveMock}. */
export const live = {
  status: { state: 'live', ageMs: 0, dataFrom: 1 } as LiveStatus,
  sandboxes: [] as SandboxRow[],
  refresh: vi.fn(async () => undefined),
};

export const liveMock = () => ({
  useRows: (kind: RowKind) => (kind === 'sandboxes' ? live.sandboxes : []),
  useNow: () => 1_000_000,
  useLiveStatus: () => live.status,
  useLiveControls: () => ({ refresh: live.refresh, pause() {}, resume() {} }),
});

/** What tests of a form stand on: a live list without sandboxes. */
export function setUpForms(): void {
  beforeEach(() => {
    live.status = { state: 'live', ageMs: 0, dataFrom: 1 };
    live.sandboxes = [];
  });
  leaveNothing();
}

export const poolRow = (over: Partial<PoolRow> = {}): PoolRow => ({
  uid: 'u-1',
  ns: 'lab',
  name: 'web',
  gen: 1,
  obs: 1,
  desired: 3,
  images: [],
  ...over,
});

type Sent = { path: string; body: Record<string, unknown> };
type Answer = { status?: number; body: unknown };

/** The console's API: access is granted, reads answer what is given, writes go to `onPost`. */
export function fakeApi(reads: Record<string, unknown> = {}) {
  const api = {
    sent: [] as Sent[],
    access: 'allowed' as 'allowed' | 'denied',
    actions: [] as RecentAction[],
    onPost: (({ body }: Sent) => ({ body: receiptOf(body) })) as (sent: Sent) => Answer | Promise<Answer>,
    /** Writes that were not dry runs. */
    writes: () => api.sent.filter(({ body }) => body.dryRun === false),
  };
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const reply = ({ status = 200, body }: Answer) => Response.json(body, { status });
    if (init?.method === 'POST') {
      const sent = { path, body: JSON.parse(String(init.body)) };
      api.sent.push(sent);
      return reply(await api.onPost(sent));
    }
    if (path.startsWith('/api/v1/access')) return reply({ body: accessOf(api.access) });
    if (path === '/api/v1/actions') return reply({ body: { actions: api.actions } });
    return reply({ body: Object.entries(reads).find(([part]) => path.includes(part))?.[1] ?? {} });
  });
  return api;
}

function accessOf(state: 'allowed' | 'denied') {
  const right = (resource: string) => ({ state, verb: 'patch', group: 'agents.kruise.io', resource });
  return {
    time: 1,
    person: { subject: 'mara', groups: [], impersonated: false },
    namespace: 'lab',
    actions: {
      ...Object.fromEntries(guardedAction.options.map((action) => [action, right('sandboxsets')])),
      scalePool: right('sandboxsets/scale'),
    },
  };
}

export function receiptOf(body: Record<string, unknown>, over: Partial<Receipt> = {}): Receipt {
  return {
    id: 'r-1',
    at: 1,
    actor: 'mara',
    dryRun: body.dryRun === true,
    action: 'scalePool',
    object: { kind: 'SandboxSet', namespace: 'lab', name: 'web', uid: 'u-1' },
    changed: true,
    before: body.from,
    after: body.to,
    resourceVersion: '88',
    kubectl: 'kubectl …',
    warnings: [],
    ...over,
  };
}

export function renderInConsole(ui: ReactElement, locale: AppLocale = 'en') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrap = (child: ReactElement) => (
    <NextIntlClientProvider locale={locale} messages={messagesOf(locale)} timeZone="UTC">
      <QueryClientProvider client={queries}>
        <PreferencesProvider initial={{ locale, timeZone: 'UTC', density: 'compact', nav: 'auto', namespaces: [] }}>
          <TooltipProvider>{child}</TooltipProvider>
        </PreferencesProvider>
      </QueryClientProvider>
    </NextIntlClientProvider>
  );
  const { rerender } = render(wrap(ui));
  return { rerender: (next: ReactElement) => rerender(wrap(next)) };
}

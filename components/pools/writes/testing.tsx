import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import { NextIntlClientProvider } from 'next-intl';
import type { ReactElement } from 'react';
import { beforeEach, vi } from 'vitest';
import type { PoolRow, RowKind, SandboxRow } from '@/lib/contracts/rows';
import type { Receipt, RecentAction } from '@/lib/contracts/writes';
import { standardLimits } from '@/lib/domain/limits';
import { type AppLocale, messagesOf, PreferencesProvider } from '@/lib/i18n';
import type { LiveStatus } from '@/lib/live';
import { type Answer, consoleApi, receiptTo, type Sent } from '../../testing/console-api';
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
  useLimits: () => standardLimits,
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

/** The console's API: access is granted, reads answer what is given, writes go to `onPost`. */
export function fakeApi(reads: Record<string, unknown> = {}) {
  const api = {
    access: 'allowed' as 'allowed' | 'denied',
    actions: [] as RecentAction[],
    onPost: (({ body }) => ({ body: receiptOf(body) })) as (sent: Sent) => Answer | Promise<Answer>,
  };
  const sent = consoleApi({
    onPost: (one) => api.onPost(one),
    onGet: (path) =>
      path === '/api/v1/actions'
        ? { actions: api.actions }
        : (Object.entries(reads).find(([part]) => path.includes(part))?.[1] ?? {}),
    right: (action) => ({
      state: api.access,
      resource: action === 'scalePool' ? 'sandboxsets/scale' : 'sandboxsets',
    }),
  });
  /** `writes`: those that were not dry runs. */
  return Object.assign(api, { sent, writes: () => sent.filter(({ body }) => body.dryRun === false) });
}

export const receiptOf = (body: Record<string, unknown>, over: Partial<Receipt> = {}): Receipt =>
  receiptTo(body, {
    action: 'scalePool',
    object: { kind: 'SandboxSet', namespace: 'lab', name: 'web', uid: 'u-1' },
    before: body.from,
    after: body.to,
    ...over,
  });

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

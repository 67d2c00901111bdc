import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { NextIntlClientProvider } from 'next-intl';
import { vi } from 'vitest';
import type { PracticeReply } from '@/lib/contracts/practice';
import { type AppLocale, messagesOf, PreferencesProvider } from '@/lib/i18n';
import { Announcer, TooltipProvider } from '../ui';
import { PracticeButton } from './practice-button';

configure({ asyncUtilTimeout: 10_000, defaultHidden: true });
vi.setConfig({ testTimeout: 60_000 });

// What a browser has and jsdom does not: checkboxes in a form measure themselves.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

const pool = { group: 'pool', groupTitle: 'Pools run dry' };
export const quiet = (): PracticeReply => ({
  scenarios: [
    {
      ...pool,
      name: 'pool-quota',
      title: 'A quota stops the Pods of a pool',
      does: 'Members stay Pending.',
      namespace: 'trap-55-pool-quota',
      wide: false,
      phase: 'off',
    },
    {
      name: 'from-the-future',
      title: 'Something newer',
      does: 'Nobody knows.',
      group: 'newer',
      groupTitle: 'A newer group',
      namespace: 'trap-99',
      wide: true,
      phase: 'off',
    },
  ],
  faults: [
    {
      name: 'api-slow',
      title: 'The API server is slow',
      does: 'Every answer comes late.',
      ends: 'Answers come at once again.',
      group: 'apiserver',
      groupTitle: 'The API server',
      possible: true,
      params: {
        properties: {
          ms: { type: 'integer', minimum: 1, maximum: 60_000, default: 2000 },
          share: { type: 'number', minimum: 0, maximum: 1, default: 1 },
          status: { anyOf: [{ const: 500 }, { const: 503 }], default: 500 },
          methods: { type: 'array', items: { enum: ['GET', 'POST'] }, minItems: 1, default: ['GET', 'POST'] },
          resource: { type: 'string', description: 'plural' },
          always: { type: 'boolean', default: false },
          later: { type: 'boolean', description: 'of a newer cluster' },
        },
      },
    },
  ],
  active: [],
});

/** The console's API: what runs changes with what is posted. */
export function fakeApi(first: PracticeReply | { status: number } = quiet()) {
  const api = { state: first, posts: [] as unknown[], refuse: false };
  const answer = (status: number, reason: string) =>
    Response.json(
      {
        ...{ code: 'not_found', status, message: 'no', reason, values: { why: 'busy' }, requestId: 'r' },
        fields: [{ field: 'ms', message: 'not today' }],
      },
      { status },
    );
  vi.stubGlobal('fetch', async (_path: string, init?: RequestInit) => {
    if ('status' in api.state)
      return answer(api.state.status, api.state.status === 404 ? 'noPractice' : 'practiceAway');
    if (init?.method !== 'POST') return Response.json(api.state);
    const body = JSON.parse(String(init.body));
    api.posts.push(body);
    if (api.refuse) return answer(422, 'practiceRefused');
    const [one, ...rest] = api.state.scenarios;
    if (body.do === 'startScenario' && one) {
      api.state = { ...api.state, scenarios: [{ ...one, phase: 'standing', since: 10_000 }, ...rest] };
    } else if (body.do === 'startFault') {
      const until = body.seconds === undefined ? {} : { until: 20_000 + body.seconds * 1000 };
      api.state = {
        ...api.state,
        active: [{ id: 'f1', name: body.name, params: body.params ?? {}, since: 20_000, ...until }],
      };
    } else if (body.do === 'endFault') api.state = { ...api.state, active: [] };
    else if (body.do === 'endAll') api.state = quiet();
    return Response.json(api.state);
  });
  return api;
}

export function show(locale: AppLocale = 'en') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <NextIntlClientProvider locale={locale} messages={messagesOf(locale)} timeZone="UTC">
      <QueryClientProvider client={queries}>
        <PreferencesProvider initial={{ locale, timeZone: 'UTC', density: 'compact', nav: 'auto', namespaces: [] }}>
          <TooltipProvider>
            <PracticeButton />
            <Announcer />
          </TooltipProvider>
        </PreferencesProvider>
      </QueryClientProvider>
    </NextIntlClientProvider>,
  );
  return { queries, user: userEvent.setup({ delay: null, pointerEventsCheck: 0 }) };
}

export const press = (name: string | RegExp) => screen.findByRole('button', { name });
export const now = () => within(screen.getByRole('region', { name: 'Running now' }));

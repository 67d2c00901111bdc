// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HistoryStore } from '@/lib/contracts/history';
import type { Mark } from '@/lib/contracts/triage';
import { freshness, heartbeat, sandbox } from '@/lib/live/testing';
import { pool } from '../pools/testing';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { operation } from '../upgrades/testing';
import { OverviewPage } from './overview-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

const ago = (seconds: number) => ({ since: Date.now() - seconds * 1000, sinceFrom: 'condition' as const });
const stuck = (name: string, seconds: number) =>
  sandbox(name, {
    name,
    state: 'Resuming',
    phase: 'Resuming',
    ...ago(seconds),
    pool: 'tools',
    claimed: true,
    cause: { code: 'InitImageMismatch', never: true },
  });

beforeAll(() => giveElementsSize());
let store: HistoryStore;
let marks: Mark[];
beforeEach(() => {
  store = { state: 'ok' };
  marks = [];
  vi.stubGlobal('fetch', async (url: string) =>
    url.startsWith('/api/v1/actions')
      ? Response.json({ actions: [] })
      : Response.json({ time: Date.now(), since: Date.now() - 60_000, stepSeconds: 15, samples: [], store, marks }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('OverviewPage', () => {
  it('says why the history cannot be stored, and nothing of it while all is well', async () => {
    store = { state: 'unavailable', why: 'database or disk is full' };
    await renderConsole(<OverviewPage />, { rows: { sandboxes: [stuck('a', 600)] } });
    expect(await screen.findByText('database or disk is full')).toBeTruthy();
    cleanup();
    store = { state: 'ok' };
    await renderConsole(<OverviewPage />, { rows: { sandboxes: [stuck('a', 600)] } });
    await screen.findByText(/recorded by this console since/);
    expect(screen.queryByText('The history is not available')).toBeNull();
  });

  it('groups what is stuck for one reason, names the sessions, and leads to the triage of that group', async () => {
    await renderConsole(<OverviewPage />, { rows: { sandboxes: [stuck('a', 600), stuck('b', 850)] } });
    const item = screen.getByText('2 Resuming, image spec ≠ status').closest('li') ?? document.body;
    expect(within(item).getByText(/never converges/)).toBeTruthy();
    expect(within(item).getByText(/2 sessions/)).toBeTruthy();
    expect(within(item).getByText(/^14m/)).toBeTruthy();
    expect(within(item).getByRole('link').getAttribute('href')).toBe('/stuck?state=Resuming&pool=tools&namespace=demo');
    expect(within(item).getByText('demo/tools')).toBeTruthy();
  });

  it('counts and lists nothing that is put off, and says how many are', async () => {
    const scope = { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' };
    const until = Date.now() + 3_600_000;
    marks = [{ id: 'm', scope, kind: 'snooze', by: 'mara', at: Date.now(), until, version: 1 }];
    const other = { ...stuck('c', 600), pool: 'web' };
    await renderConsole(<OverviewPage />, { rows: { sandboxes: [stuck('a', 600), stuck('b', 850), other] } });
    expect(await screen.findByRole('link', { name: /Stuck now 1 1 past breach · 1 session · 2 put off/ })).toBeTruthy();
    expect(screen.getAllByText(/Resuming, image spec/).map((item) => item.textContent)).toEqual([
      '1 Resuming, image spec ≠ status',
    ]);
  });

  it('says in one calm line that nothing is overdue', async () => {
    await renderConsole(<OverviewPage />, { rows: { sandboxes: [sandbox('a', { ...ago(9000) })] } });
    expect(screen.getByText('Nothing overdue.')).toBeTruthy();
    expect(screen.getByRole('link', { name: /Stuck now 0 nothing past its limit/ })).toBeTruthy();
  });

  it('does not call overdue what has failed: its line does not either', async () => {
    const failed = sandbox('a', { state: 'Failed', phase: 'Failed', ...ago(9000) });
    await renderConsole(<OverviewPage />, { rows: { sandboxes: [failed, stuck('b', 600)] } });
    expect(screen.getByRole('link', { name: /^Failed/ }).textContent).toBe('Failed1–');
    expect(screen.getByRole('link', { name: /^Resuming/ }).textContent).toBe('Resuming11');
  });

  it('shows dashes, never zeros, before the first list', async () => {
    await renderConsole(<OverviewPage />);
    expect(screen.getByRole('link', { name: /Stuck now –/ })).toBeTruthy();
    expect(screen.queryByText('Nothing overdue.')).toBeNull();
    const running = screen.getByRole('link', { name: /^Running/ });
    expect(running.textContent).toBe('Running––');
  });

  it('counts the namespaces of what it counts, also of those without a pool', async () => {
    const sandboxes = [sandbox('a', { ns: 'demo' }), sandbox('b', { ns: 'lab' })];
    await renderConsole(<OverviewPage />, { rows: { sandboxes, sandboxsets: [pool({ name: 'web' })] } });
    expect(screen.getByText(/^2 sandboxes · 1 pool · 2 namespaces$/)).toBeTruthy();
  });

  it('a deadlocked operation is an exception of its own, with the sum that makes it one', async () => {
    const op = operation({ name: 'november', phase: 'Updating', total: 20, updated: 4, failed: 2, maxUnavailable: 2 });
    await renderConsole(<OverviewPage />, { rows: { sandboxupdateops: [op] } });
    expect(screen.getByText('november is deadlocked')).toBeTruthy();
    expect(screen.getByText(/2 slots taken ≥ limit 2, 14 cannot start/)).toBeTruthy();
    expect(screen.getByRole('link', { name: /Upgrades 1 deadlocked/ })).toBeTruthy();
  });

  it('lists pools by how soon they run empty', async () => {
    const idle = (name: string, of: string) =>
      sandbox(name, { name, state: 'Available', phase: 'Running', pool: of, idle: true, hash: 'r1', ...ago(60) });
    await renderConsole(<OverviewPage />, {
      rows: {
        sandboxsets: [
          pool({ name: 'steady', desired: 1, claimsPerMin: 1, refillsPerMin: 1 }),
          pool({ name: 'draining', desired: 1, claimsPerMin: 1, refillsPerMin: 0.8 }),
        ],
        sandboxes: [idle('s-1', 'steady'), idle('d-1', 'draining')],
      },
    });
    const names = screen.getAllByRole('link', { name: /^(steady|draining)$/ }).map((link) => link.textContent);
    expect(names).toEqual(['draining', 'steady']);
    const item = screen.getByText('draining runs empty in 5 m').closest('li') ?? document.body;
    expect(within(item).getByText('demo')).toBeTruthy();
  });

  it('calls short what is short, also before a minute is over', async () => {
    const idle = sandbox('a', {
      name: 'a',
      state: 'Available',
      phase: 'Running',
      pool: 'web',
      idle: true,
      hash: 'r1',
      ...ago(60),
    });
    await renderConsole(<OverviewPage />, {
      rows: { sandboxsets: [pool({ name: 'web', desired: 7, claimsPerMin: 1, refillsPerMin: 2 })], sandboxes: [idle] },
    });
    expect(screen.getByRole('link', { name: /Below target over 60 s 0 of 1 web 6 short/ })).toBeTruthy();
  });

  it('dims every number of the cluster while it reconnects, and the console’s own actions not', async () => {
    const { tab } = await renderConsole(<OverviewPage />, {
      rows: { sandboxes: [stuck('a', 600)], sandboxsets: [pool({ name: 'tools', desired: 1 })] },
    });
    const numbers = () => [
      screen.getByRole('navigation', { name: 'Key figures' }),
      screen.getByRole('heading', { name: 'Needs attention' }),
      screen.getByRole('heading', { name: 'Pools' }),
      screen.getByRole('link', { name: /^Running/ }),
    ];
    const dimmed = () => numbers().map((element) => element.closest('.dimmed') !== null);
    expect(dimmed()).toEqual([false, false, false, false]);
    act(() => tab.stream.send(heartbeat(2, freshness('degraded'))));
    await waitFor(() => expect(dimmed()).toEqual([true, true, true, true]));
    expect(screen.getByRole('heading', { name: 'Recent actions' }).closest('.dimmed')).toBeNull();
    act(() => tab.stream.send(heartbeat(3)));
    await waitFor(() => expect(dimmed()).toEqual([false, false, false, false]));
  });

  it('speaks Chinese where the person does', async () => {
    await renderConsole(<OverviewPage />, { rows: {}, locale: 'zh-CN' });
    expect(screen.getByText('没有逾期项。')).toBeTruthy();
  });
});

// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { freshness, heartbeat } from '@/lib/live/testing';
import { consoleApi } from '../testing/console-api';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { PoolPage } from './pool-page';
import { pool } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/pools/demo/tools' }));

vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

it('opens the form that the address asks for, once', async () => {
  const user = userEvent.setup({ delay: null });
  const rows = { sandboxsets: [pool({ name: 'tools' })] };
  await renderConsole(<PoolPage ns="demo" name="tools" />, { rows, search: '?form=scale' });
  expect(await screen.findByLabelText('Unclaimed sandboxes wanted')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('lists the sessions that a rollout took, with time and revision', async () => {
  const at = Date.now() - 60_000;
  const last = [{ uid: 'u', name: 'tools-x', owner: 'ann', at, afterMs: 1_000, hash: 'old' }];
  const rows = { sandboxsets: [pool({ name: 'tools', revision: 'new', lost: { count: 1, last } })] };
  await renderConsole(<PoolPage ns="demo" name="tools" />, { rows });
  expect(await screen.findByText('1 session lost in a rollout')).toBeTruthy();
  expect(
    screen.getByText(/^tools-x of ann: deleted at .* after its claim; it was of revision old, the pool is at new$/),
  ).toBeTruthy();
});

it('leads to a task in this pool, where tasks are set up', async () => {
  const rows = { sandboxsets: [pool({ name: 'tools' })] };
  let runner: object = { state: 'ready', manager: 'http://m', running: 0, limit: 8, perPerson: 4, queued: 0, mine: 0 };
  const onGet = (path: string) => (path.startsWith('/api/v1/tasks?') ? { time: 1, runner, tasks: [] } : undefined);
  consoleApi({ onPost: () => ({ body: {} }), onGet });
  await renderConsole(<PoolPage ns="demo" name="tools" />, { rows });
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Run a task' });
  expect(link.search).toBe('?start=demo%2Ftools');
  runner = { state: 'off', missing: ['E2B_API_KEY'] };
  // Whoever comes back to the page has it asked again.
  window.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Run a task' })).toBeNull());
});

it('says once that its rows are no longer current', async () => {
  const rows = { sandboxsets: [pool({ name: 'tools' })] };
  const { tab } = await renderConsole(<PoolPage ns="demo" name="tools" />, { rows });
  act(() => tab.stream.send(heartbeat(2, freshness('degraded', Date.now()))));
  expect(await screen.findAllByRole('button', { name: 'Try now' })).toHaveLength(1);
});

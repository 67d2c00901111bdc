// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { freshness, heartbeat } from '@/lib/live/testing';
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

it('says once that its rows are no longer current', async () => {
  const rows = { sandboxsets: [pool({ name: 'tools' })] };
  const { tab } = await renderConsole(<PoolPage ns="demo" name="tools" />, { rows });
  act(() => tab.stream.send(heartbeat(2, freshness('degraded', Date.now()))));
  expect(await screen.findAllByRole('button', { name: 'Try now' })).toHaveLength(1);
});

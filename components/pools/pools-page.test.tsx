// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { delta, sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { PoolPage } from './pool-page';
import { PoolsPage } from './pools-page';
import { pool } from './testing';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/pools' }));

vi.mock('@/components/shell', async (original) => ({
  ...(await original<typeof import('@/components/shell')>()),
  useScope: () => ({ namespaces: [] }),
}));

const member = (name: string, over: Parameters<typeof sandbox>[1] = {}) =>
  sandbox(name, {
    name,
    state: 'Available',
    phase: 'Running',
    pool: 'tools',
    idle: true,
    hash: 'r1',
    since: Date.now() - 60_000,
    sinceFrom: 'condition',
    ...over,
  });
const rowOf = (name: string) => screen.getByRole('link', { name }).closest('tr') ?? document.body;

setUpPage();
afterEach(() => push.mockClear());

describe('PoolsPage', () => {
  it('counts from the sandboxes, not from the status that goes stale', async () => {
    await renderConsole(<PoolsPage />, {
      rows: {
        sandboxsets: [pool({ name: 'tools', desired: 3, available: 3, updated: 3 })],
        sandboxes: [
          member('a'),
          member('b', { hash: 'r0' }),
          member('c', { state: 'Creating', phase: 'Pending' }),
          member('d', { idle: undefined, claimed: true } as never),
        ],
      },
    });
    const row = within(rowOf('tools'));
    expect(row.getByRole('img', { name: '2 available, 1 creating, 0 terminating of 3' })).toBeTruthy();
    expect(row.getByText(/^2\/3/)).toBeTruthy();
  });

  it('says what is wrong with a template before it hurts', async () => {
    await renderConsole(<PoolsPage />, {
      rows: { sandboxsets: [pool({ name: 'pinned', desired: 0, digestPinned: ['agent-runtime'] })] },
    });
    expect(within(rowOf('pinned')).getByText('digest-pinned init image')).toBeTruthy();
  });

  it('counts those that a pause would strand, where their Pods tell', async () => {
    await renderConsole(<PoolsPage />, {
      rows: {
        sandboxsets: [pool({ name: 'tools', desired: 3, digestPinned: ['agent-runtime'] })],
        sandboxes: [
          member('a', { strands: true }),
          member('b', { strands: true, idle: undefined, claimed: true } as never),
          member('c'),
        ],
      },
    });
    const lint = within(rowOf('tools')).getByText('2 of 3 would not come back');
    expect(lint.parentElement?.title).not.toContain('digest-pinned');
  });

  it('is loud about a pool that soon runs empty, and calm about one that lasts for hours', async () => {
    const rates = { desired: 2, claimsPerMin: 3 };
    await renderConsole(<PoolsPage />, {
      rows: {
        sandboxsets: [
          pool({ name: 'tools', ...rates, refillsPerMin: 2.5 }),
          pool({ name: 'lasting', ...rates, refillsPerMin: 2.9921875 }),
        ],
        sandboxes: [member('a'), member('b'), member('c', { pool: 'lasting' }), member('d', { pool: 'lasting' })],
      },
    });
    expect(rowOf('tools').textContent).toMatch(/empty in 4\sm/);
    expect(rowOf('lasting').textContent).toMatch(/4h\s16m/);
    expect(rowOf('lasting').textContent).not.toContain('empty');
  });

  it('filters over all pools and offers the way back when none matches', async () => {
    const user = userEvent.setup();
    await renderConsole(<PoolsPage />, { rows: { sandboxsets: [pool({ name: 'one' }), pool({ name: 'two' })] } });
    await user.type(screen.getByRole('searchbox'), 'nothing');
    expect(await screen.findByText('0 of 2 match')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByRole('link', { name: 'two' })).toBeTruthy();
  });

  describe('a form', () => {
    const deleted = (uid: string, upserts = {}) => delta(2, upserts, { sandboxsets: [uid] });
    const changed = (row: ReturnType<typeof pool>) => delta(2, { sandboxsets: [row] });
    const menu = (name: string) => screen.getByRole('button', { name: `Actions for ${name}` });

    /** Opened from the menu of `one` by keys, as a pointer on the list would hold its rows; with 7 typed. */
    async function typed() {
      const user = userEvent.setup({ delay: null });
      const { tab } = await renderConsole(<PoolsPage />, {
        rows: { sandboxsets: [pool({ name: 'one' }), pool({ name: 'two' })] },
      });
      await user.type(screen.getByRole('searchbox'), 'python-tools');
      menu('one').focus();
      await user.keyboard('{Enter}');
      const item = await screen.findByRole('menuitem', { name: 'Scale…' });
      await waitFor(() => expect(document.activeElement).toBe(item));
      await user.keyboard('{Enter}');
      const field = await screen.findByLabelText('Unclaimed sandboxes wanted');
      await user.clear(field);
      await user.type(field, '7');
      const say = (message: ReturnType<typeof delta>) => act(async () => tab.stream.send(message));
      return { user, field, say, close: () => user.click(screen.getByRole('button', { name: 'Cancel' })) };
    }

    it('gives the focus back to the menu of the row', async () => {
      const { close } = await typed();
      await close();
      await waitFor(() => expect(document.activeElement).toBe(menu('one')));
    });

    it('stays when the pool is deleted, and gives the focus to the list then', async () => {
      const { say, field, close } = await typed();
      await say(deleted('uid-one'));
      expect(await screen.findByText(/^Gone at \d\d:\d\d:\d\d UTC$/)).toBeTruthy();
      expect(field).toHaveProperty('value', '7');
      expect(screen.getByRole('button', { name: 'Scale to 7' }).getAttribute('aria-disabled')).toBe('true');
      await close();
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('grid')));
    });

    it('does not turn to another pool of the same name', async () => {
      const { say, field } = await typed();
      await say(deleted('uid-one', { sandboxsets: [pool({ name: 'one', uid: 'uid-new', desired: 9 })] }));
      expect(await screen.findByText(/^Gone at/)).toBeTruthy();
      expect(field).toHaveProperty('value', '7');
      expect(screen.getByText('5 → 7')).toBeTruthy();
    });

    it('stays when the row leaves the list', async () => {
      const { say, field, close } = await typed();
      await say(changed(pool({ name: 'one', images: [], gen: 3 })));
      await waitFor(() => expect(screen.queryByRole('link', { name: 'one', hidden: true })).toBeNull());
      expect(field.isConnected).toBe(true);
      expect(field).toHaveProperty('value', '7');
      expect(screen.queryByText(/^Gone at/)).toBeNull();
      await close();
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('grid')));
    });
  });

  it('explains an empty cluster', async () => {
    await renderConsole(<PoolsPage />, { rows: {} });
    expect(screen.getByText('No pools')).toBeTruthy();
  });
});

describe('PoolPage', () => {
  it('keeps stock and sessions apart', async () => {
    await renderConsole(<PoolPage ns="demo" name="tools" />, {
      rows: {
        sandboxsets: [pool({ name: 'tools', desired: 1 })],
        sandboxes: [member('a'), sandbox('s', { name: 's', pool: 'tools', claimed: true })],
      },
    });
    expect(screen.getByRole('tab', { name: 'Inventory 1' })).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Claimed 1' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'a' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 's' })).toBeNull();
  });

  it('shows that the controller has not seen the newest spec', async () => {
    await renderConsole(<PoolPage ns="demo" name="tools" />, {
      rows: { sandboxsets: [pool({ name: 'tools', gen: 7, obs: 6 })] },
    });
    expect(screen.getByText('has seen generation 6 of 7')).toBeTruthy();
  });

  it('stays when the pool is deleted, with its last facts, and offers no form any more', async () => {
    const user = userEvent.setup({ delay: null });
    const { tab } = await renderConsole(<PoolPage ns="demo" name="tools" />, {
      rows: { sandboxsets: [pool({ name: 'tools', revision: 'r7' })] },
    });
    await user.click(screen.getByRole('button', { name: 'Scale…' }));
    const field = await screen.findByLabelText('Unclaimed sandboxes wanted');
    await user.clear(field);
    await user.type(field, '7');
    await act(async () => tab.stream.send(delta(2, {}, { sandboxsets: ['uid-tools'] })));
    expect(await screen.findAllByText(/^Gone at \d\d:\d\d:\d\d UTC$/)).toHaveLength(2);
    expect(field).toHaveProperty('value', '7');
    expect(screen.getByRole('button', { name: 'Scale to 7' }).getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByText('r7')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Scale…' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('offers the pool that took the name of a deleted one', async () => {
    const user = userEvent.setup({ delay: null });
    const { tab } = await renderConsole(<PoolPage ns="demo" name="tools" />, {
      rows: { sandboxsets: [pool({ name: 'tools', revision: 'r7' })] },
    });
    const successor = pool({ name: 'tools', uid: 'uid-new', revision: 'r8' });
    await act(async () => tab.stream.send(delta(2, { sandboxsets: [successor] }, { sandboxsets: ['uid-tools'] })));
    expect(await screen.findByText(/^Another pool has this name now/)).toBeTruthy();
    expect(screen.getByText('r7')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show the new one' }));
    expect(screen.getByText('r8')).toBeTruthy();
    expect(screen.queryByText(/^Gone at/)).toBeNull();
  });

  it('says that a pool of this name is not there', async () => {
    await renderConsole(<PoolPage ns="demo" name="gone" />, { rows: {} });
    expect(screen.getByText('No pool gone in demo')).toBeTruthy();
  });
});

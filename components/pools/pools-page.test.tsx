// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { PoolPage } from './pool-page';
import { PoolsPage } from './pools-page';
import { pool } from './testing';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/pools' }));

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

beforeAll(() => giveElementsSize());
beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 'not_found', status: 404, message: 'not found', requestId: 'r' }, { status: 404 }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  push.mockClear();
});

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

  it('says that a pool of this name is not there', async () => {
    await renderConsole(<PoolPage ns="demo" name="gone" />, { rows: {} });
    expect(screen.getByText('No pool gone in demo')).toBeTruthy();
  });
});

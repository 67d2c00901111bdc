// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { operation } from './testing';
import { UpgradePage } from './upgrade-page';
import { UpgradesPage } from './upgrades-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/upgrades' }));

const rowOf = (name: string) =>
  within(screen.getByRole('grid')).getByRole('link', { name }).closest('tr') ?? document.body;

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
});

describe('UpgradesPage', () => {
  it('shows phases as a person needs them, which the status does not have', async () => {
    const failed = { total: 10, updated: 3, failed: 1, maxUnavailable: 1 };
    await renderConsole(<UpgradesPage />, {
      rows: {
        sandboxupdateops: [
          operation({ name: 'stopped', ns: 'a', ...failed }),
          operation({ name: 'held', ns: 'b', updating: 1, paused: true }),
          operation({ name: 'second', ns: 'b', phase: '', taken: false }),
          operation({ name: 'newer', ns: 'c', phase: 'RollingBack' }),
        ],
      },
    });
    expect(within(rowOf('stopped')).getByText('Deadlocked')).toBeTruthy();
    expect(within(rowOf('held')).getByText('Paused by spec')).toBeTruthy();
    expect(within(rowOf('second')).getByText('Waiting for another operation')).toBeTruthy();
    expect(within(rowOf('newer')).getByText('RollingBack')).toBeTruthy();
  });

  it('names who holds the lock of a namespace and who waits for it', async () => {
    await renderConsole(<UpgradesPage />, {
      rows: {
        sandboxupdateops: [
          operation({ name: 'first', updating: 1 }),
          operation({ name: 'second', phase: '', taken: false }),
        ],
      },
    });
    expect(screen.getByText('second waits', { exact: false })).toBeTruthy();
    expect(screen.getByText('held by', { exact: false })).toBeTruthy();
  });
});

describe('UpgradePage', () => {
  it('explains a deadlock by the sum of its slots, with commands that get out of it', async () => {
    const op = operation({ name: 'november', total: 20, updated: 4, failed: 2, maxUnavailable: 2 });
    await renderConsole(<UpgradePage ns="demo" name="november" />, { rows: { sandboxupdateops: [op] } });
    const why = screen.getByRole('region', { name: 'Why it is deadlocked' });
    expect(within(why).getByText('14 sandboxes wait and will never start.', { exact: false })).toBeTruthy();
    expect(why.textContent).toMatch(/patch suo november --type merge -p .*"maxUnavailable":4/);
  });

  it('draws the stage each sandbox has reached, failures first', async () => {
    const op = operation({ name: 'november', total: 2, updated: 1, failed: 1, hooks: ['postUpgrade'] });
    const adopted = { op: 'november', claimed: true as const, gen: 3, obs: 3 };
    await renderConsole(<UpgradePage ns="demo" name="november" />, {
      rows: {
        sandboxupdateops: [op],
        sandboxes: [
          sandbox('done', { name: 'done', ...adopted, upgraded: true }),
          sandbox('bad', {
            name: 'bad',
            ...adopted,
            state: 'Upgrading',
            phase: 'Upgrading',
            stage: 'PostUpgradeFailed',
            message: 'hook failed with exit code 3',
            since: Date.now() - 65_000,
            sinceFrom: 'condition',
          }),
        ],
      },
    });
    const names = screen.getAllByRole('link', { name: /^(done|bad)$/ }).map((link) => link.textContent);
    expect(names).toEqual(['bad', 'done']);
    expect(within(rowOf('bad')).getByText('hook failed with exit code 3')).toBeTruthy();
    expect(within(rowOf('bad')).getByText(/^1m 0/)).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'Failed 1' })).toBeTruthy();
    const failure = screen.getByText('PostUpgrade failed').closest('li');
    expect(failure?.textContent).toContain('Next: an operation with postUpgrade only and no patch');
  });
});

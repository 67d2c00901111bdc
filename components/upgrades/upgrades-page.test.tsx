// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { delta, sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { handOverKey } from './plan/hand-over';
import { failedHook, fakeApi, operation } from './testing';
import { UpgradesPage } from './upgrades-page';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades' }));

const rowOf = (name: string) =>
  within(screen.getByRole('grid')).getByRole('link', { name }).closest('tr') ?? document.body;

setUpPage();

describe('UpgradesPage', () => {
  it('shows phases as a person needs them, which the status does not have', async () => {
    const failed = { total: 10, updated: 3, failed: 1, maxUnavailable: 1 };
    await renderConsole(<UpgradesPage />, {
      rows: {
        sandboxupdateops: [
          operation({ name: 'stopped', ns: 'a', ...failed }),
          operation({ name: 'held', ns: 'b', updating: 1, paused: true }),
          operation({ name: 'second', ns: 'b', phase: '', taken: false }),
          operation({ name: 'going', ns: 'b', phase: 'Completed', deleting: 1 }),
          operation({ name: 'newer', ns: 'c', phase: 'RollingBack' }),
        ],
      },
    });
    expect(within(rowOf('stopped')).getByText('Deadlocked')).toBeTruthy();
    expect(within(rowOf('held')).getByText('Paused')).toBeTruthy();
    expect(within(rowOf('second')).getByText('Waiting for another operation')).toBeTruthy();
    expect(within(rowOf('going')).getByText('Deleting, waits')).toBeTruthy();
    expect(within(rowOf('newer')).getByText('RollingBack')).toBeTruthy();
  });

  it('names who holds the lock of a namespace, since when, and who waits; and who blocks one without holding it', async () => {
    await renderConsole(<UpgradesPage />, {
      rows: {
        sandboxupdateops: [
          operation({ name: 'first', updating: 1, created: Date.parse('2026-11-03T08:00:00Z') }),
          operation({ name: 'second', phase: '', taken: false }),
          operation({ name: 'loser', ns: 'other', phase: '', taken: false }),
          operation({ name: 'over', ns: 'free', phase: 'Completed' }),
        ],
      },
    });
    const locks = screen.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/for \S+ ./, ''));
    expect(locks[1]).toMatch(/^Lock of demo held by first since 08:00:00 UTC.* · second waits$/);
    expect(locks[0]).toMatch(/^other blocked by loser, which does not work, since .*nobody waits$/);
    expect(locks).toHaveLength(2);
  });

  it('counts those that are up to date already beside the operation’s own counts, while it runs', async () => {
    const rows = {
      sandboxupdateops: [
        operation({ name: 'runs', total: 2, updated: 1 }),
        operation({ name: 'runs', uid: 'other', ns: 'other', total: 2, updated: 1 }),
        operation({ name: 'over', phase: 'Completed' }),
      ],
    };
    // One request, however many operations there are.
    const asked = encodeURIComponent('demo/runs,other/runs');
    fakeApi({ [`/upgrades/current?operations=${asked}`]: { time: 1, counts: { 'demo/runs': 1 } } });
    await renderConsole(<UpgradesPage />, { rows });
    const bar = await screen.findByRole('img', { name: /1 up to date already/ });
    expect(bar.getAttribute('aria-label')).toContain('1 waiting');
  });

  it('says what the remaining time is reckoned from', async () => {
    const created = Date.now() - 10 * 60_000;
    const rows = { sandboxupdateops: [operation({ name: 'runs', updated: 5, updating: 1, created })] };
    await renderConsole(<UpgradesPage />, { rows });
    const left = within(rowOf('runs')).getByText(/^about .* left at 0\.5\/min$/);
    expect(left.title).toMatch(/5 sandboxes finished in the first (9|10).m/);
  });
});

describe('the list', () => {
  const cellOf = (name: string, column: string) =>
    rowOf(name).querySelector(`[data-column="${column}"]`)?.textContent?.trim();

  it('says what each changes and for whom, and which are roll backs', async () => {
    const images = [{ name: 'main', image: 'registry.local/agents/python-tools:3.13.2' }];
    await renderConsole(<UpgradesPage />, {
      rows: {
        sandboxupdateops: [
          operation({ name: 'forth', images }),
          operation({ name: 'back', images, rollsBack: 'forth', phase: 'Completed' }),
          operation({ name: 'warm', hasPatch: false, selector: 'team=blue', phase: 'Completed' }),
        ],
      },
    });
    expect(cellOf('forth', 'change')).toBe('python-tools:3.13.2tools');
    expect(cellOf('back', 'change')).toBe('roll back of forthtools');
    expect(cellOf('warm', 'change')).toBe('hooks onlyteam=blue');
  });

  it('has what needs somebody first, and of those that are over the newest', async () => {
    const over = (name: string, created: number) => operation({ name, phase: 'Completed', created });
    // Its sandboxes are with a later one: nobody has to act.
    const settled = operation({ name: 'settled', phase: 'Failed', failed: 1, total: 1, created: 9_000 });
    const failed = operation({ name: 'failed', phase: 'Failed', failed: 1, total: 1, created: 1 });
    await renderConsole(<UpgradesPage />, {
      rows: {
        sandboxupdateops: [over('old', 999), over('new', 10_000), settled, failed],
        sandboxes: [sandbox('box', { name: 'box', ...failedHook('failed') })],
      },
    });
    const names = screen.getAllByRole('link', { name: /^(old|new|settled|failed)$/ }).map((link) => link.textContent);
    expect(names).toEqual(['failed', 'new', 'settled', 'old']);
    expect(rowOf('failed').querySelector('.st')?.getAttribute('data-tone')).toBe('breach');
    expect(rowOf('settled').querySelector('.st')?.hasAttribute('data-tone')).toBe(false);
  });
});

describe('leftovers', () => {
  const left = (uid: string, more: Partial<SandboxRow>) => sandbox(uid, { name: uid, claimed: true as const, ...more });
  const rows = {
    sandboxes: [
      left('touched', { policy: 'Recreate' }),
      left('labelled', { upFailed: true as const }),
      left('working', { policy: 'Recreate', op: 'runs', state: 'Upgrading', phase: 'Upgrading' }),
      left('clean', {}),
    ],
    sandboxupdateops: [operation({ name: 'runs' })],
  };

  it('shows those that a deleted operation left in the middle, and plans for them', async () => {
    const user = userEvent.setup({ delay: null });
    const { op: _gone, ...hook } = failedHook('gone');
    await renderConsole(<UpgradesPage />, { rows: { sandboxes: [left('hangs', hook)], sandboxupdateops: [] } });
    expect(screen.getByText('1 sandbox of demo was left in the middle of an upgrade')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Plan for 1 sandbox…' }));
    const id = /draft=(\w+)/.exec(String(push.mock.lastCall?.[0]))?.[1] ?? '';
    expect(JSON.parse(sessionStorage.getItem(handOverKey(id)) ?? 'null')).toEqual({
      namespace: 'demo',
      targets: { by: 'selection', sandboxes: [{ uid: 'hangs', name: 'hangs' }] },
    });
  });

  it('explains its words', async () => {
    const user = userEvent.setup({ delay: null });
    await renderConsole(<UpgradesPage />, { rows });
    await user.click(screen.getByRole('button', { name: 'Words of this page' }));
    expect((await screen.findAllByRole('term')).map(({ textContent }) => textContent)).toEqual([
      'lock',
      'slot',
      'in flight',
      'adopted',
    ]);
  });

  it('lists what ended operations left, and nothing that one still needs', async () => {
    await renderConsole(<UpgradesPage />, { rows, search: '?view=leftovers' });
    expect(screen.getByRole('radio', { name: 'Leftovers 2' })).toBeTruthy();
    expect(within(rowOf('touched')).getByText(/upgrade policy/)).toBeTruthy();
    expect(within(rowOf('labelled')).getByText('failure label')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'working' })).toBeNull();
  });

  it('says what each kind does, and cleans all that are listed where none is chosen', async () => {
    const user = userEvent.setup({ delay: null });
    fakeApi();
    const sandboxes = [
      ...rows.sandboxes,
      left('hooked', { op: 'over', upgraded: true as const, hooks: true as const }),
    ];
    const over = operation({ name: 'over', phase: 'Completed', hooks: ['postUpgrade'] });
    await renderConsole(<UpgradesPage />, {
      rows: { sandboxes, sandboxupdateops: [...rows.sandboxupdateops, over] },
      search: '?view=leftovers',
    });
    const kinds = screen.getAllByRole('term').map(({ textContent }) => textContent);
    expect(kinds).toEqual(['upgrade policy', 'hooks', 'failure label']);
    expect(screen.getByText(/^The next edit of the template replaces the Pod/)).toBeTruthy();
    expect(within(rowOf('hooked')).getByText('hooks')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clean all 3…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Clean 3 sandboxes' });
    expect(within(dialog).getByText('1 loses spec.lifecycle: the hooks of the ended operation.')).toBeTruthy();
  });

  it('cleans the chosen ones, frozen by uid, with one outcome a sandbox', async () => {
    const user = userEvent.setup({ delay: null });
    const api = fakeApi();
    api.onPost = ({ body }) => {
      const items = body.items as { uid: string; name: string }[];
      const answer = items.map(({ uid, name }) =>
        uid === 'labelled' && body.dryRun !== true
          ? { uid, name, result: 'refused', message: 'Sandbox labelled works for upgrade late' }
          : { uid, name, result: 'accepted' },
      );
      return { body: { items: answer } };
    };
    const { tab } = await renderConsole(<UpgradesPage />, { rows, search: '?view=leftovers' });
    await user.click(screen.getByRole('checkbox', { name: /touched/ }));
    await user.click(screen.getByRole('checkbox', { name: /labelled/ }));
    await user.click(screen.getByRole('button', { name: 'Clean 2 sandboxes…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Clean 2 sandboxes' });
    await waitFor(() => expect(within(dialog).getAllByText('would be cleaned')).toHaveLength(2));
    await user.click(within(dialog).getByRole('button', { name: 'Clean 2' }));
    expect(await within(dialog).findByText('cleaned')).toBeTruthy();
    expect(within(dialog).getByText('Sandbox labelled works for upgrade late')).toBeTruthy();
    expect(api.writes()).toEqual([
      {
        path: '/api/v1/upgrades/leftovers',
        body: {
          namespace: 'demo',
          dryRun: false,
          items: [
            { uid: 'labelled', name: 'labelled', remove: ['failedLabel', 'selectionLabel'] },
            { uid: 'touched', name: 'touched', remove: ['upgradePolicy', 'selectionLabel'] },
          ],
        },
      },
    ]);
    expect(within(dialog).getByText('0 of 1 seen clean by the watch')).toBeTruthy();
    act(() => tab.stream.send(delta(2, { sandboxes: [left('touched', {})] })));
    expect(await within(dialog).findByText('1 of 1 seen clean by the watch')).toBeTruthy();
  });
});

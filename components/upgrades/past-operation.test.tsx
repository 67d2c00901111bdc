// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { UpgradeHistoryReply, UpgradeLeave } from '@/lib/contracts/upgrade-history';
import { delta, sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { failedHook, fakeApi, history, members, operation, wholeOperation } from './testing';
import { UpgradePage } from './upgrade-page';

vi.mock('next/navigation', () => ({
  useRouter: () => ({ push: vi.fn() }),
  usePathname: () => '/upgrades/demo/november',
}));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

const at = Date.parse('2026-11-03T08:00:00Z');
const rowOf = (name: string) =>
  within(screen.getByRole('grid')).getByRole('link', { name }).closest('tr') ?? document.body;
const cellOf = (name: string, column: string) =>
  rowOf(name).querySelector(`[data-column="${column}"]`)?.textContent?.trim();
const show = (rows: Parameters<typeof renderConsole>[1] & object) =>
  renderConsole(<UpgradePage ns="demo" name="november" />, rows);

describe('a finished operation whose sandboxes another one took', () => {
  const op = operation({
    name: 'november',
    phase: 'Failed',
    total: 4,
    updated: 2,
    failed: 2,
    hooks: ['postUpgrade'],
    changedAt: at,
  });
  const taken: UpgradeLeave = { at: at + 600_000, seen: true, why: 'taken', to: 'december' };
  const record = (
    name: string,
    row: Partial<SandboxRow>,
    left: UpgradeLeave = taken,
  ): UpgradeHistoryReply['records'][number] => ({
    row: { ...sandbox(name, { name, op: 'november', gen: 3, obs: 3 }), ...row },
    at: at + 11_000,
    left,
  });
  const records = [
    record('bad', {
      ...failedHook('november'),
      steps: [
        ['UpgradePod', at],
        ['PostUpgrade', at + 9_200],
        ['PostUpgradeFailed', at + 11_000],
      ],
    }),
    record('done', {
      upgraded: true,
      steps: [
        ['UpgradePod', at],
        ['PostUpgrade', at + 9_200],
        ['Succeeded', at + 11_000],
      ],
    }),
    record(
      'lost',
      { state: 'Upgrading', phase: 'Upgrading', stage: 'UpgradePod', steps: [['UpgradePod', at]] },
      { at: at + 900_000, seen: false, why: 'deleted' },
    ),
  ];
  const pods = { bad: { before: { uid: 'old-pod', node: 'n-1', gone: at }, after: { uid: 'new-pod', node: 'n-2' } } };
  const whole = { lifecycle: { postUpgrade: { exec: { command: ['/bin/warm'] } } } };
  const reads = {
    '/demo/november/history': history({ records, pods }),
    // They still match, and another one has them: the operation has not passed them over.
    '/demo/november/members': members({ waiting: ['bad', 'late'].map((name) => ({ uid: name, name })) }),
    '/objects/sandboxupdateops/demo/november': wholeOperation('november', whole),
  };
  const december = operation({ name: 'december', phase: 'Completed' });
  // What they are now has nothing to do with it.
  const sandboxes = ['bad', 'done'].map((name) =>
    sandbox(name, { name, op: 'december', gen: 5, obs: 5, upgraded: true as const }),
  );
  const rows = { sandboxupdateops: [op, december], sandboxes };

  it('still has its matrix, with the dwell in each stage', async () => {
    fakeApi(reads);
    await show({ rows });
    await screen.findByRole('link', { name: 'bad' });
    expect(cellOf('bad', 'UpgradePod')).toMatch(/9\.2.s$/);
    expect(cellOf('bad', 'PostUpgrade')).toMatch(/^failed 1\.8.s$/);
    expect(cellOf('done', 'Done')).toMatch(/08:00:11 UTC$/);
    expect(screen.getByRole('tab', { name: 'Stages 3' })).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Not counted 1' })).toBeTruthy();
    expect(screen.queryByText(/^It has ended, and its status does not change/)).toBeNull();
  });

  it('says which rows come from the record, with whom the sandboxes are, and since when', async () => {
    fakeApi(reads);
    await show({ rows });
    const note = (await screen.findByText('3 rows are from the console’s record')).closest<HTMLElement>('.note');
    expect(note?.textContent).toContain('2 taken by december, 2026-11-03 08:10:00 UTC');
    expect(note?.textContent).toContain('1 was deleted, at some time before 2026-11-03 08:15:00 UTC');
    expect(note?.textContent).toContain('1 more sandbox is in its counts and not known');
    expect(
      within(note ?? document.body)
        .getByRole('link', { name: 'december' })
        .getAttribute('href'),
    ).toBe('/upgrades/demo/december');
    expect(cellOf('bad', 'left')).toMatch(/^taken .*08:10:00 UTC by december$/);
    expect(cellOf('lost', 'left')).toMatch(/^deleted before .*08:15:00 UTC/);
  });

  it('tells no outcome that nobody saw', async () => {
    fakeApi(reads);
    await show({ rows });
    await screen.findByRole('link', { name: 'lost' });
    expect(cellOf('lost', 'UpgradePod')).toBe('last seen in it ?');
    expect(cellOf('lost', 'Done')).toMatch(/not reached/);
    expect(screen.getByRole('radio', { name: 'Running 0' })).toBeTruthy();
  });

  it('still says what failed and why, and plans nothing for what is not its own any more', async () => {
    const user = userEvent.setup({ delay: null });
    fakeApi(reads);
    await show({ rows });
    const groups = await screen.findByRole('region', { name: 'What went wrong, and what helps' });
    expect(within(groups).getByText('PostUpgradeFailed')).toBeTruthy();
    expect(within(groups).getByText('hook failed with exit code 3')).toBeTruthy();
    expect(within(groups).getByText(/^From the console’s record/)).toBeTruthy();
    expect(within(groups).queryByRole('button', { name: /^Plan/ })).toBeNull();
    await user.click(rowOf('bad'));
    const peek = await screen.findByRole('complementary', { name: 'bad' });
    expect(await within(peek).findByTitle('old-pod')).toBeTruthy();
    expect(peek.textContent).toContain('08:10:00 UTC, then taken by december.');
  });

  it('still has old Pod against new Pod', async () => {
    const user = userEvent.setup({ delay: null });
    fakeApi(reads);
    await show({ rows });
    await user.click(await screen.findByRole('tab', { name: 'Pods' }));
    await waitFor(() => expect(cellOf('bad', 'afterNode')).toBe('n-2'));
    expect(cellOf('done', 'after')).toBe('not seen');
  });

  it('shows times of an earlier run of the console for those that it still has', async () => {
    const own = sandbox('own', { name: 'own', op: 'november', gen: 3, obs: 3, upgraded: true as const });
    const steps = {
      own: [
        ['UpgradePod', at],
        ['PostUpgrade', at + 4_000],
      ] as [string, number][],
    };
    fakeApi({ ...reads, '/demo/november/history': history({ steps }) });
    await show({ rows: { sandboxupdateops: [op], sandboxes: [own] } });
    await waitFor(() => expect(cellOf('own', 'UpgradePod')).toMatch(/4\.0.s$/));
  });

  it('is asked for again when another one takes a sandbox while it is looked at', async () => {
    fakeApi(reads);
    const own = sandbox('bad', { name: 'bad', ...failedHook('november') });
    const { tab } = await show({ rows: { sandboxupdateops: [op], sandboxes: [own] } });
    expect(cellOf('bad', 'left')).toBe('–');
    act(() => tab.stream.send(delta(2, { sandboxes: [{ ...own, op: 'december' }] })));
    await waitFor(() => expect(cellOf('bad', 'left')).toMatch(/^taken .* by december$/));
  });

  it('says that its record cannot be read, and tries again when asked', async () => {
    const user = userEvent.setup({ delay: null });
    const away = {
      code: 'history_unavailable',
      status: 503,
      message: 'x',
      reason: 'historyAway',
      values: { why: 'The folder /data does not answer' },
      requestId: 'r',
    };
    const api = fakeApi(reads);
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (path: string, init?: RequestInit) =>
      path.endsWith('/history') ? Response.json(away, { status: 503 }) : fetch(path, init),
    );
    await show({ rows });
    expect(await screen.findByText(/The folder \/data does not answer/)).toBeTruthy();
    expect(api.sent).toEqual([]);
    vi.stubGlobal('fetch', fetch);
    const note = screen.getByText(/The folder \/data does not answer/).closest<HTMLElement>('.note');
    await user.click(within(note ?? document.body).getByRole('button', { name: 'Ask again' }));
    expect(await screen.findByText('3 rows are from the console’s record')).toBeTruthy();
  });
});

describe('an operation that is deleted while it is looked at', () => {
  const op = operation({ name: 'november', total: 3, updated: 1, updating: 1, failed: 1, hooks: ['postUpgrade'] });
  const adopted = (name: string, more: Partial<SandboxRow>) =>
    sandbox(name, { name, op: 'november', gen: 3, obs: 3, ...more });
  const mine: SandboxRow[] = [
    adopted('done', { upgraded: true }),
    sandbox('bad', { name: 'bad', ...failedHook('november') }),
    adopted('busy', { state: 'Upgrading', phase: 'Upgrading', stage: 'UpgradePod' }),
  ];
  const released = mine.map(({ op: _op, ...row }) => ({ ...row, gen: 4, obs: 4 }));
  const rows = { sandboxupdateops: [op], sandboxes: mine };
  const bar = () => screen.getByRole('img', { name: /updated/ }).getAttribute('aria-label');

  it('keeps its rows and counts as they were known last, and counts no more', async () => {
    fakeApi();
    const { tab } = await show({ rows });
    // The controller takes the labels off first, then the object goes.
    const deleting = { ...op, deleting: Date.now() };
    act(() => tab.stream.send(delta(2, { sandboxupdateops: [deleting] })));
    await screen.findByText('Deleting');
    const busy = mine.slice(2).map((row) => ({ ...row, stage: 'PostUpgrade' }));
    act(() => tab.stream.send(delta(3, { sandboxes: [...released.slice(0, 2), ...busy] })));
    await waitFor(() => expect(cellOf('busy', 'progress')).toBe('PostUpgrade'));
    const before = bar();
    expect(screen.getByRole('tab', { name: 'Stages 3' })).toBeTruthy();
    act(() => tab.stream.send(delta(4, { sandboxes: released }, { sandboxupdateops: [op.uid] })));
    expect(await screen.findByText(/^Gone at /)).toBeTruthy();
    expect(cellOf('done', 'progress')).toBe('Done');
    expect(cellOf('bad', 'progress')).toBe('PostUpgrade');
    expect(cellOf('busy', 'progress')).toBe('PostUpgrade');
    expect(bar()).toBe(before);
    expect(screen.getByRole('tab', { name: 'Stages 3' })).toBeTruthy();
    expect(screen.queryByText(/the status follows/)).toBeNull();
    expect(screen.getByText(/^As last known; gone since /)).toBeTruthy();
  });

  it('does not take up what its sandboxes do afterwards, nor what happens to other operations', async () => {
    const other = operation({ name: 'other', updating: 1 });
    fakeApi();
    const { tab } = await show({ rows: { ...rows, sandboxupdateops: [op, other] } });
    act(() => tab.stream.send(delta(2, {}, { sandboxupdateops: [op.uid] })));
    expect(await screen.findByText(/^Gone at /)).toBeTruthy();
    act(() =>
      tab.stream.send(
        delta(3, {
          sandboxes: mine.map((row) => ({ ...row, state: 'Running' as const, upgraded: true as const })),
          sandboxupdateops: [{ ...other, phase: 'Completed' }],
        }),
      ),
    );
    await act(() => new Promise(requestAnimationFrame));
    expect(cellOf('busy', 'progress')).toBe('UpgradePod');
    expect(screen.queryByText(/the status follows/)).toBeNull();
  });
});

// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { sandbox } from '@/lib/live/testing';
import { setUpPage } from '../../testing/set-up-page';
import { cellOf, rowOf, showPage } from '../page-testing';
import { failedHook, fakeApi, history, members, operation, wholeOperation } from '../testing';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades/demo/november' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

describe('the matrix', () => {
  const op = operation({ name: 'november', total: 3, updated: 1, failed: 1, hooks: ['preUpgrade', 'postUpgrade'] });
  const at = Date.parse('2026-11-03T08:00:00Z');
  const sandboxes = [
    sandbox('done', {
      name: 'done',
      op: 'november',
      gen: 3,
      obs: 3,
      upgraded: true,
      steps: [
        ['UpgradePod', at],
        ['PostUpgrade', at + 9_200],
        ['Succeeded', at + 11_000],
      ],
    }),
    sandbox('bad', {
      name: 'bad',
      node: 'worker-1',
      ...failedHook('november'),
      steps: [
        ['PostUpgrade', at],
        ['PostUpgradeFailed', at + 2_500],
      ],
    }),
    sandbox('next', { name: 'next', node: 'worker-2' }),
  ];
  const reads = { '/demo/november/members': members({ waiting: [{ uid: 'next', name: 'next' }] }) };
  const rows = { sandboxupdateops: [op], sandboxes };

  it('has a row for each sandbox, adopted or waiting, failures first, with its dwell in each stage', async () => {
    fakeApi(reads);
    await showPage({ rows });
    await screen.findByRole('link', { name: 'next' });
    const names = screen.getAllByRole('link', { name: /^(done|bad|next)$/ }).map(({ textContent }) => textContent);
    expect(names).toEqual(['bad', 'next', 'done']);
    expect(cellOf('done', 'UpgradePod')).toMatch(/9\.2.s$/);
    expect(cellOf('done', 'PostUpgrade')).toMatch(/1\.8.s$/);
    expect(cellOf('done', 'Done')).toMatch(/08:00:11 UTC$/);
    // It does not go on: how long it took, and apart from that how long ago.
    expect(cellOf('bad', 'PostUpgrade')).toMatch(/^failed 2\.5.s$/);
    expect(cellOf('bad', 'progress')).toMatch(/^PostUpgrade, .* ago$/);
    expect(cellOf('next', 'progress')).toBe('waits');
    expect(within(rowOf('bad')).getByText('hook failed with exit code 3')).toBeTruthy();
  });

  it('counts those that wait also as long as the server has not named them', async () => {
    fakeApi();
    await showPage({ rows });
    expect(screen.getByRole('radio', { name: 'Waiting 1' })).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Stages 3' })).toBeTruthy();
    expect(screen.getByText('2 adopted, 1 waits')).toBeTruthy();
    expect(screen.getByText('1 more sandbox waits for a slot', { exact: false })).toBeTruthy();
  });

  it('invents no time of what the console did not watch', async () => {
    fakeApi(reads);
    const unseen = [
      sandbox('failed', { name: 'failed', ...failedHook('november') }),
      sandbox('works', { name: 'works', ...failedHook('november'), stage: 'PostUpgrade' }),
    ];
    await showPage({ rows: { ...rows, sandboxes: [...sandboxes, ...unseen] } });
    expect(cellOf('done', 'PreUpgrade')).toBe('passed ?');
    expect(within(rowOf('works')).getByTitle(/^By the condition’s own time/)).toBeTruthy();
    expect(cellOf('failed', 'PostUpgrade')).toBe('failed ?');
  });

  it('is filtered by how far, by node and by failure', async () => {
    const user = userEvent.setup({ delay: null });
    fakeApi(reads);
    await showPage({ rows });
    await screen.findByRole('link', { name: 'next' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Node' }), 'worker-2');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'bad' })).toBeNull());
    expect(screen.getByRole('link', { name: 'next' })).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Node' }), '');
    await user.click(screen.getByRole('radio', { name: 'Waiting 1' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'done' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Show in the list' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'next' })).toBeNull());
    expect(screen.getByRole('link', { name: 'bad' })).toBeTruthy();
  });

  it('shows a sandbox beside it: old Pod against new Pod, and what was not seen as not seen', async () => {
    const user = userEvent.setup({ delay: null });
    const pods = {
      done: { before: { uid: 'old-pod', node: 'n-1', gone: at }, after: { uid: 'new-pod', node: 'n-2' } },
    };
    fakeApi({ ...reads, '/demo/november/history': history({ pods }) });
    await showPage({ rows });
    await user.click(rowOf('done'));
    const peek = await screen.findByRole('complementary', { name: 'done' });
    expect(await within(peek).findByTitle('old-pod')).toBeTruthy();
    expect(peek.textContent).toContain('n-2');
    expect(peek.textContent).toContain('start not seen');
    await user.click(rowOf('bad'));
    expect(await screen.findByText('The console saw neither Pod: it did not watch then.')).toBeTruthy();
  });
});

it('a retry whose hook runs tells nothing of the failure before it', async () => {
  const op = operation({ name: 'november', total: 1, updating: 1, hooks: ['preUpgrade'] });
  const row = sandbox('box', { name: 'box', ...failedHook('november'), stage: 'PreUpgradeFailed', gen: 3, obs: 2 });
  fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november') });
  await showPage({ rows: { sandboxupdateops: [op], sandboxes: [row] } });
  expect(screen.queryByRole('region', { name: 'What went wrong, and what helps' })).toBeNull();
  expect(screen.getByRole('radio', { name: 'Failed 0' })).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'Running 1' })).toBeTruthy();
  expect(cellOf('box', 'PreUpgrade')).toBe('running');
  expect(cellOf('box', 'message')).toBe('Its hook may be running: nothing is written meanwhile.');
});

it('a first hook that runs is in the matrix', async () => {
  const op = operation({ name: 'november', total: 1, updating: 1, hooks: ['preUpgrade'] });
  const row = sandbox('box', { name: 'box', op: 'november', policy: 'Recreate', gen: 2, obs: 1 });
  fakeApi();
  await showPage({ rows: { sandboxupdateops: [op], sandboxes: [row] } });
  expect(cellOf('box', 'PreUpgrade')).toBe('running');
  expect(cellOf('box', 'progress')).toBe('PreUpgrade');
});

it('one that is done stays so when its user pauses it, and says nothing of the pause', async () => {
  const op = operation({ name: 'november', phase: 'Completed', total: 1, updated: 1 });
  const row = sandbox('box', {
    name: 'box',
    op: 'november',
    upgraded: true,
    paused: true,
    state: 'Pausing',
    gen: 6,
    obs: 5,
    cause: { code: 'OldPodTerminating', detail: 'worker-3' },
  });
  fakeApi();
  await showPage({ rows: { sandboxupdateops: [op], sandboxes: [row] } });
  expect(screen.getByRole('radio', { name: 'Done 1' })).toBeTruthy();
  expect(cellOf('box', 'message')).toBe('–');
});

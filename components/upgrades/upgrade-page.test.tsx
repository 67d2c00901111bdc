// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { delta, sandbox } from '@/lib/live/testing';
import { setUpPage } from '../testing/set-up-page';
import { cellOf, deadlock, planned, showPage } from './page-testing';
import { failedHook, fakeApi, members, operation, wholeOperation } from './testing';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades/demo/november' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

it('says that what it selects, changes and runs is fixed', async () => {
  const user = userEvent.setup({ delay: null });
  const op = operation({ name: 'november', total: 2, updated: 1 });
  fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november') });
  await showPage({ rows: { sandboxupdateops: [op] } });
  await user.click(screen.getByRole('tab', { name: 'Change and settings' }));
  expect(screen.getByText(/^Selector, change and hooks cannot be changed any more/)).toBeTruthy();
});

it('gives its whole plan to another operation, under the next name', async () => {
  const user = userEvent.setup({ delay: null });
  const lifecycle = { preUpgrade: { exec: { command: ['/bin/save'] } } };
  fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november', { lifecycle }) });
  await showPage({ rows: { sandboxupdateops: [deadlock()] } });
  await user.click(screen.getByRole('button', { name: 'Actions for november' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Plan again…' }));
  expect(planned(push.mock.lastCall?.[0])).toMatchObject({
    name: 'november-2',
    targets: { by: 'labels', selector: { matchLabels: { app: 'tools' } } },
    change: { by: 'patch', patch: { spec: { containers: [{ image: 'code:v2' }] } } },
    preUpgrade: { command: ['/bin/save'] },
  });
});

it('offers another one when it is over, and nothing that cannot be done any more', async () => {
  const user = userEvent.setup({ delay: null });
  fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november') });
  await showPage({
    rows: { sandboxupdateops: [operation({ name: 'november', phase: 'Completed', total: 1, updated: 1 })] },
  });
  await user.click(await screen.findByRole('button', { name: 'Plan again…' }));
  expect(planned(push.mock.lastCall?.[0])).toMatchObject({ name: 'november-2' });
  expect(screen.getByRole('button', { name: 'Roll back…' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Pause…' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Actions for november' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items).toEqual(['Delete…']);
});

it('explains counts that differ from what matches', async () => {
  const user = userEvent.setup({ delay: null });
  const leftOut = [
    { uid: 'same', name: 'same', reason: 'upToDate' as const },
    { uid: 'member', name: 'member', reason: 'poolMember' as const },
  ];
  const waiting = [{ uid: 'late', name: 'late' }];
  fakeApi({ '/demo/november/members': members({ leftOut, waiting }) });
  await showPage({
    rows: { sandboxupdateops: [operation({ name: 'november', phase: 'Completed', total: 1, updated: 1 })] },
  });
  await user.click(await screen.findByRole('button', { name: '3 more match and are not counted' }));
  expect(cellOf('same', 'reason')).toBe('Already up to date');
  expect(cellOf('member', 'reason')).toBe('Not claimed');
  expect(cellOf('late', 'reason')).toBe('Passed over');
});

it('stays readable when the operation is deleted, and says so', async () => {
  const { tab } = await showPage({ rows: { sandboxupdateops: [deadlock()] } });
  act(() => tab.stream.send(delta(2, {}, { sandboxupdateops: ['uid-november'] })));
  expect(await screen.findByText(/^Gone at /)).toBeTruthy();
  expect(screen.getByText('Deadlocked')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Pause…' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Roll back…' })).toBeTruthy();
});

it('keeps the next steps for those that a deletion leaves behind, whichever is seen first', async () => {
  const user = userEvent.setup({ delay: null });
  const op = operation({ name: 'november', total: 2, failed: 1, maxUnavailable: 1, hooks: ['postUpgrade'] });
  const failed = { name: 'a', ...failedHook('november') };
  fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november') });
  const { tab } = await showPage({ rows: { sandboxupdateops: [op], sandboxes: [sandbox('a', failed)] } });
  const failures = screen.getByRole('region', { name: 'What went wrong, and what helps' });
  expect(await within(failures).findByRole('button', { name: 'Plan for 1 sandbox…' })).toBeTruthy();
  // The label goes first, and then the object.
  act(() => tab.stream.send(delta(2, { sandboxes: [sandbox('a', { ...failed, op: undefined })] })));
  expect(screen.getByRole('link', { name: 'a' })).toBeTruthy();
  act(() => tab.stream.send(delta(3, {}, { sandboxupdateops: ['uid-november'] })));
  expect(await screen.findByText(/^Gone at /)).toBeTruthy();
  expect(screen.getByRole('tab', { name: 'Stages 2' })).toBeTruthy();
  await user.click(within(failures).getByRole('button', { name: 'Plan for 1 sandbox…' }));
  expect(planned(push.mock.lastCall?.[0])).toMatchObject({ targets: { by: 'selection', sandboxes: [{ uid: 'a' }] } });
});

it('says who paused it, where the console did or was asked to', async () => {
  const at = Date.parse('2026-11-03T08:00:00Z');
  const action = {
    id: '1',
    at,
    actor: 'mara',
    action: 'pauseUpgrade',
    object: { kind: 'SandboxUpdateOps', namespace: 'demo', name: 'november' },
    summary: 'paused',
    result: 'observed',
  };
  fakeApi({ '/api/v1/actions': { actions: [action] } });
  await showPage({
    rows: { sandboxupdateops: [operation({ name: 'november', total: 4, updated: 1, updating: 1, paused: true })] },
  });
  expect(await screen.findByText(/^Paused: 1 in flight still finishes/)).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByText(/^Paused: 1/).textContent).toContain('By mara at 08:00:00 UTC, through this console'),
  );
});

it('speaks Chinese', async () => {
  await showPage({ rows: { sandboxupdateops: [deadlock()] } }, 'zh-CN');
  expect(screen.getByRole('button', { name: '改为 4…' })).toBeTruthy();
  expect(screen.getByText('14 个沙箱在等待，名额全部被占期间都不会开始。', { exact: false })).toBeTruthy();
});

// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { AppLocale } from '@/lib/i18n';
import { delta, sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { handOverKey } from './plan/hand-over';
import { failedHook, fakeApi, history, members, operation, wholeOperation } from './testing';
import { UpgradePage } from './upgrade-page';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades/demo/november' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

const rowOf = (name: string) =>
  within(screen.getByRole('grid')).getByRole('link', { name }).closest('tr') ?? document.body;
const cellOf = (name: string, column: string) =>
  rowOf(name).querySelector(`[data-column="${column}"]`)?.textContent?.trim();
const show = (rows: Parameters<typeof renderConsole>[1] & object, locale: AppLocale = 'en') =>
  renderConsole(<UpgradePage ns="demo" name="november" />, { ...rows, locale });
const deadlock = () => operation({ name: 'november', total: 20, updated: 4, failed: 2, maxUnavailable: 2 });
/** What was handed over to the form of a plan. */
const planned = () => {
  const id = /draft=(\w+)/.exec(String(push.mock.lastCall?.[0]))?.[1] ?? '';
  return JSON.parse(sessionStorage.getItem(handOverKey(id)) ?? 'null');
};

describe('a deadlock', () => {
  it('is explained by the sum of its slots, and ends the safest way first', async () => {
    const user = userEvent.setup({ delay: null });
    await show({ rows: { sandboxupdateops: [deadlock()] } });
    const why = screen.getByRole('region', { name: 'Why it is deadlocked' });
    expect(
      within(why).getByText('14 sandboxes wait, and none starts while every slot is taken.', { exact: false }),
    ).toBeTruthy();
    const sum = within(why)
      .getAllByRole('row')
      .map(({ textContent }) => textContent);
    expect(sum).toEqual([
      'limit, 2 of 202',
      '−in flight0',
      '−failed, each keeps its slot2',
      '=slots to start the next0',
    ]);
    const ways = within(why)
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
    expect(ways).toEqual(['Set to 4…', 'Show them', 'Delete…', 'Roll back…']);
    await user.click(within(why).getByRole('button', { name: 'Set to 4…' }));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'maxUnavailable' })).value).toBe('4');
  });

  it('recommends a corrected plan where all failed by one image, and says what a higher limit would cost', async () => {
    const user = userEvent.setup({ delay: null });
    fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november') });
    const message = 'container main: ErrImagePull - code:v2: not found';
    const sandboxes = ['a', 'b'].map((name) =>
      sandbox(name, { name, ...failedHook('november'), stage: 'UpgradePodFailed', message }),
    );
    await show({ rows: { sandboxupdateops: [deadlock()], sandboxes } });
    const why = screen.getByRole('region', { name: 'Why it is deadlocked' });
    const plan = await within(why).findByRole('button', { name: 'Plan again…' });
    const primary = why.querySelectorAll('.btn.pri');
    expect([...primary]).toEqual([plan]);
    expect(
      within(why).getByText(/all 2 failed alike \(UpgradePodFailed\), so the 2 next ones most likely fail/),
    ).toBeTruthy();
    const ways = within(why)
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
    expect(ways).toEqual(['Set to 4…', 'Show them', 'Plan again…', 'Delete…', 'Roll back…']);
    await user.click(plan);
    expect(planned()).toMatchObject({ name: 'november-2', targets: { by: 'labels' } });
  });

  it('says since when nothing moves, and leads to the failed ones with what their hook printed', async () => {
    const user = userEvent.setup({ delay: null });
    const message = 'hook execution error: process error: exit status 2, stderr: tar: No space left on device';
    const failedAt = Date.now() - 40.5 * 60_000;
    const failed = sandbox('box', {
      name: 'box',
      ...failedHook('november'),
      stage: 'PreUpgradeFailed',
      message,
      steps: [['PreUpgradeFailed', failedAt]],
    });
    // A later change of its status, as by a pause, starts no slot anew.
    const op = { ...deadlock(), failed: 1, maxUnavailable: 1, changedAt: Date.now() - 4_000 };
    fakeApi({ '/demo/november/history': history() });
    await show({ rows: { sandboxupdateops: [op], sandboxes: [failed] } });
    const why = screen.getByRole('region', { name: 'Why it is deadlocked' });
    await waitFor(() => expect(within(why).getByRole('heading').textContent).toMatch(/for 4[01]/));
    await user.click(within(why).getByRole('button', { name: 'Show them' }));
    const failures = screen.getByRole('region', { name: 'What went wrong, and what helps' });
    expect(within(failures).getByText(message)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(failures));
    expect(within(screen.getByRole('grid')).getByRole('link', { name: 'box' }).getAttribute('href')).toBe(
      '/sandboxes/demo/box',
    );
  });

  it('is one also when the Pods that the patch makes are refused, and leads to another patch for these', async () => {
    const user = userEvent.setup({ delay: null });
    fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november') });
    const refused = (name: string) =>
      sandbox(name, {
        name,
        ...failedHook('november'),
        stage: 'UpgradePod',
        message: undefined,
        cause: {
          code: 'PodCreateFailed',
          detail: `Pod "${name}" is invalid: spec.containers[0].image: Required value`,
        },
      });
    const op = operation({ name: 'november', total: 6, updating: 2, maxUnavailable: 2 });
    await show({ rows: { sandboxupdateops: [op], sandboxes: [refused('a'), refused('b')] } });
    const why = screen.getByRole('region', { name: 'Why it is deadlocked' });
    expect(
      within(why)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toContain('−their Pod is refused, each keeps its slot2');
    expect(within(why).queryByRole('button', { name: 'Show them' })).toBeNull();
    expect(within(why).getByText(/the Pod that the patch makes is refused/)).toBeTruthy();
    const failures = screen.getByRole('region', { name: 'What went wrong, and what helps' });
    expect(within(failures).getByText('Pod refused in UpgradePod')).toBeTruthy();
    await user.click(await within(failures).findByRole('button', { name: 'Plan for 2 sandboxes…' }));
    expect(planned()).toMatchObject({ targets: { by: 'selection', sandboxes: [{ uid: 'a' }, { uid: 'b' }] } });
    expect(planned()).not.toHaveProperty('preUpgrade');
  });

  it('does not promise that a higher limit starts anything while the operation is paused', async () => {
    await show({ rows: { sandboxupdateops: [{ ...deadlock(), paused: true }] } });
    const why = screen.getByRole('region', { name: 'Why it is deadlocked' });
    expect(within(why).getByText(/^It is paused: 2 waiting sandboxes start when it is continued as well/)).toBeTruthy();
  });

  it('is seen within one update of the stream', async () => {
    const { tab } = await show({ rows: { sandboxupdateops: [{ ...deadlock(), updating: 1, failed: 1 }] } });
    expect(screen.queryByRole('region', { name: 'Why it is deadlocked' })).toBeNull();
    act(() => tab.stream.send(delta(2, { sandboxupdateops: [deadlock()] })));
    expect(await screen.findByRole('region', { name: 'Why it is deadlocked' })).toBeTruthy();
  });
});

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
    await show({ rows });
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
    await show({ rows });
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
    await show({ rows: { ...rows, sandboxes: [...sandboxes, ...unseen] } });
    expect(cellOf('done', 'PreUpgrade')).toBe('passed ?');
    expect(within(rowOf('works')).getByTitle(/^By the condition’s own time/)).toBeTruthy();
    expect(cellOf('failed', 'PostUpgrade')).toBe('failed ?');
  });

  it('is filtered by how far, by node and by failure', async () => {
    const user = userEvent.setup({ delay: null });
    fakeApi(reads);
    await show({ rows });
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
    await show({ rows });
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
  await show({ rows: { sandboxupdateops: [op], sandboxes: [row] } });
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
  await show({ rows: { sandboxupdateops: [op], sandboxes: [row] } });
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
  await show({ rows: { sandboxupdateops: [op], sandboxes: [row] } });
  expect(screen.getByRole('radio', { name: 'Done 1' })).toBeTruthy();
  expect(cellOf('box', 'message')).toBe('–');
});

describe('what went wrong', () => {
  const op = operation({ name: 'november', phase: 'Failed', total: 2, failed: 2, hooks: ['postUpgrade'] });
  const hook = { exec: { command: ['/bin/warm'] } };
  const reads = {
    '/objects/sandboxupdateops/demo/november': wholeOperation('november', { lifecycle: { postUpgrade: hook } }),
  };
  const bad = (uid: string, more: object = {}) => sandbox(uid, { name: uid, ...failedHook('november'), ...more });

  it('is grouped, and its plan is the documented retry of just those', async () => {
    const user = userEvent.setup({ delay: null });
    fakeApi(reads);
    await show({ rows: { sandboxupdateops: [op], sandboxes: [bad('a'), bad('b')] } });
    const groups = screen.getByRole('region', { name: 'What went wrong, and what helps' });
    expect(within(groups).getByText('2 sandboxes')).toBeTruthy();
    expect(await within(groups).findByText(/postUpgrade alone and no patch/)).toBeTruthy();
    expect(within(groups).getByText(/The same again is counted as failed at once/)).toBeTruthy();
    await user.click(within(groups).getByRole('button', { name: 'Plan for 2 sandboxes…' }));
    expect(planned()).toMatchObject({
      namespace: 'demo',
      name: 'november-2',
      targets: { by: 'selection', sandboxes: [{ uid: 'a' }, { uid: 'b' }] },
      change: { by: 'none' },
      postUpgrade: { command: ['/bin/warm'] },
      origin: { as: 'troubled', operation: 'november', reason: 'PostUpgradeFailed' },
    });
  });

  it('shows a message as text, cut, and whole when asked', async () => {
    const user = userEvent.setup({ delay: null });
    const red = '\u001b[31m';
    const whole = `exit 2, stdout: <b>packing</b>\tfiles\n${red}${'x'.repeat(32 * 1024)} end`;
    const start = `exit 2, stdout: <b>packing</b>→files↵␛[31m${'x'.repeat(100)}…`;
    const conditions = [{ type: 'Upgrading', status: 'False', reason: 'PostUpgradeFailed', message: whole }];
    const object = {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'Sandbox',
      metadata: { name: 'a', namespace: 'demo', uid: 'a' },
      status: { phase: 'Upgrading', conditions },
    };
    fakeApi({ ...reads, '/objects/sandboxes/demo/a': { time: 1, object, events: [] } });
    await show({ rows: { sandboxupdateops: [op], sandboxes: [bad('a', { message: start })] } });
    await user.click(await screen.findByRole('button', { name: 'Whole message' }));
    const text = await screen.findByRole('region', { name: 'Message of a' });
    await waitFor(() => expect(text.textContent).toMatch(/x end$/));
    expect(text.textContent).toContain('<b>packing</b>\tfiles\n␛[31m');
    expect(text.querySelector('b')).toBeNull();
  });
});

it('says that what it selects, changes and runs is fixed', async () => {
  const user = userEvent.setup({ delay: null });
  const op = operation({ name: 'november', total: 2, updated: 1 });
  fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november') });
  await show({ rows: { sandboxupdateops: [op] } });
  await user.click(screen.getByRole('tab', { name: 'Change and settings' }));
  expect(screen.getByText(/^Selector, change and hooks cannot be changed any more/)).toBeTruthy();
});

it('gives its whole plan to another operation, under the next name', async () => {
  const user = userEvent.setup({ delay: null });
  const lifecycle = { preUpgrade: { exec: { command: ['/bin/save'] } } };
  fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november', { lifecycle }) });
  await show({ rows: { sandboxupdateops: [deadlock()] } });
  await user.click(screen.getByRole('button', { name: 'Actions for november' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Plan again…' }));
  expect(planned()).toMatchObject({
    name: 'november-2',
    targets: { by: 'labels', selector: { matchLabels: { app: 'tools' } } },
    change: { by: 'patch', patch: { spec: { containers: [{ image: 'code:v2' }] } } },
    preUpgrade: { command: ['/bin/save'] },
  });
});

it('offers another one when it is over, and nothing that cannot be done any more', async () => {
  const user = userEvent.setup({ delay: null });
  fakeApi({ '/objects/sandboxupdateops/demo/november': wholeOperation('november') });
  await show({
    rows: { sandboxupdateops: [operation({ name: 'november', phase: 'Completed', total: 1, updated: 1 })] },
  });
  await user.click(await screen.findByRole('button', { name: 'Plan again…' }));
  expect(planned()).toMatchObject({ name: 'november-2' });
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
  await show({
    rows: { sandboxupdateops: [operation({ name: 'november', phase: 'Completed', total: 1, updated: 1 })] },
  });
  await user.click(await screen.findByRole('button', { name: '3 more match and are not counted' }));
  expect(cellOf('same', 'reason')).toBe('Already up to date');
  expect(cellOf('member', 'reason')).toBe('Not claimed');
  expect(cellOf('late', 'reason')).toBe('Passed over');
});

it('stays readable when the operation is deleted, and says so', async () => {
  const { tab } = await show({ rows: { sandboxupdateops: [deadlock()] } });
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
  const { tab } = await show({ rows: { sandboxupdateops: [op], sandboxes: [sandbox('a', failed)] } });
  const failures = screen.getByRole('region', { name: 'What went wrong, and what helps' });
  expect(await within(failures).findByRole('button', { name: 'Plan for 1 sandbox…' })).toBeTruthy();
  // The label goes first, and then the object.
  act(() => tab.stream.send(delta(2, { sandboxes: [sandbox('a', { ...failed, op: undefined })] })));
  expect(screen.getByRole('link', { name: 'a' })).toBeTruthy();
  act(() => tab.stream.send(delta(3, {}, { sandboxupdateops: ['uid-november'] })));
  expect(await screen.findByText(/^Gone at /)).toBeTruthy();
  expect(screen.getByRole('tab', { name: 'Stages 2' })).toBeTruthy();
  await user.click(within(failures).getByRole('button', { name: 'Plan for 1 sandbox…' }));
  expect(planned()).toMatchObject({ targets: { by: 'selection', sandboxes: [{ uid: 'a' }] } });
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
  await show({
    rows: { sandboxupdateops: [operation({ name: 'november', total: 4, updated: 1, updating: 1, paused: true })] },
  });
  expect(await screen.findByText(/^Paused: 1 in flight still finishes/)).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByText(/^Paused: 1/).textContent).toContain('By mara at 08:00:00 UTC, through this console'),
  );
});

it('speaks Chinese', async () => {
  await show({ rows: { sandboxupdateops: [deadlock()] } }, 'zh-CN');
  expect(screen.getByRole('button', { name: '改为 4…' })).toBeTruthy();
  expect(screen.getByText('14 个沙箱在等待，名额全部被占期间都不会开始。', { exact: false })).toBeTruthy();
});

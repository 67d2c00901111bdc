// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { delta, sandbox } from '@/lib/live/testing';
import { setUpPage } from '../../testing/set-up-page';
import { deadlock, planned, showPage } from '../page-testing';
import { failedHook, fakeApi, history, operation, wholeOperation } from '../testing';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades/demo/november' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

describe('a deadlock', () => {
  it('is explained by the sum of its slots, and ends the safest way first', async () => {
    const user = userEvent.setup({ delay: null });
    await showPage({ rows: { sandboxupdateops: [deadlock()] } });
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
    await showPage({ rows: { sandboxupdateops: [deadlock()], sandboxes } });
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
    expect(planned(push.mock.lastCall?.[0])).toMatchObject({ name: 'november-2', targets: { by: 'labels' } });
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
    await showPage({ rows: { sandboxupdateops: [op], sandboxes: [failed] } });
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
    await showPage({ rows: { sandboxupdateops: [op], sandboxes: [refused('a'), refused('b')] } });
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
    expect(planned(push.mock.lastCall?.[0])).toMatchObject({
      targets: { by: 'selection', sandboxes: [{ uid: 'a' }, { uid: 'b' }] },
    });
    expect(planned(push.mock.lastCall?.[0])).not.toHaveProperty('preUpgrade');
  });

  it('does not promise that a higher limit starts anything while the operation is paused', async () => {
    await showPage({ rows: { sandboxupdateops: [{ ...deadlock(), paused: true }] } });
    const why = screen.getByRole('region', { name: 'Why it is deadlocked' });
    expect(within(why).getByText(/^It is paused: 2 waiting sandboxes start when it is continued as well/)).toBeTruthy();
  });

  it('is seen within one update of the stream', async () => {
    const { tab } = await showPage({ rows: { sandboxupdateops: [{ ...deadlock(), updating: 1, failed: 1 }] } });
    expect(screen.queryByRole('region', { name: 'Why it is deadlocked' })).toBeNull();
    act(() => tab.stream.send(delta(2, { sandboxupdateops: [deadlock()] })));
    expect(await screen.findByRole('region', { name: 'Why it is deadlocked' })).toBeTruthy();
  });
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
    await showPage({ rows: { sandboxupdateops: [op], sandboxes: [bad('a'), bad('b')] } });
    const groups = screen.getByRole('region', { name: 'What went wrong, and what helps' });
    expect(within(groups).getByText('2 sandboxes')).toBeTruthy();
    expect(await within(groups).findByText(/postUpgrade alone and no patch/)).toBeTruthy();
    expect(within(groups).getByText(/The same again is counted as failed at once/)).toBeTruthy();
    await user.click(within(groups).getByRole('button', { name: 'Plan for 2 sandboxes…' }));
    expect(planned(push.mock.lastCall?.[0])).toMatchObject({
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
    await showPage({ rows: { sandboxupdateops: [op], sandboxes: [bad('a', { message: start })] } });
    await user.click(await screen.findByRole('button', { name: 'Whole message' }));
    const text = await screen.findByRole('region', { name: 'Message of a' });
    await waitFor(() => expect(text.textContent).toMatch(/x end$/));
    expect(text.textContent).toContain('<b>packing</b>\tfiles\n␛[31m');
    expect(text.querySelector('b')).toBeNull();
  });
});

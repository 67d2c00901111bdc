// @vitest-environment jsdom
import { act, cleanup, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { delta, sandbox } from '@/lib/live/testing';
import { setUpPage } from '../../testing/set-up-page';
import { api, box, openFrom, ready, receiptOf, user } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/sandboxes' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));
setUpPage();

describe('the dialog of several', () => {
  const three = [box(), sandbox('b', { idle: true, state: 'Available' }), sandbox('c')] as SandboxRow[];
  const refusal = {
    code: 'precondition_failed' as const,
    status: 412,
    message: 'not now',
    reason: 'notNow' as const,
    values: { sandbox: 'name-b', why: 'ofPool', of: 'none' },
  };

  it('shows an outcome each, stops after the first that fails, and goes on with the rest when asked', async () => {
    const server = api();
    let stopped = false;
    server.outcome = (item, { change, dryRun, onFailure }) => {
      if (item.name === 'name-b') {
        stopped = !dryRun && onFailure === 'stop';
        return { result: 'refused', problem: refusal };
      }
      return stopped ? { result: 'skipped' } : { result: 'accepted', receipt: receiptOf(item, change) };
    };
    const { dialog, tab } = await openFrom(three, 'Pause…');
    const summary = await dialog.findByText(/^2 of 3 would be accepted, 1 refused/);
    expect(summary.parentElement?.textContent).toMatch(/1 refused: it is an idle member of its pool/);
    expect(dialog.getByText('With “Stop” nothing is sent after the first of these.')).toBeTruthy();
    expect(dialog.getByText('Files on a volume stay; without a volume of its own none do.')).toBeTruthy();
    expect(dialog.getAllByText('accepted')).toHaveLength(2);
    await user.click(await ready(dialog, 'Pause 3'));
    expect(await dialog.findByText(/^3 of 3 answered, 1 accepted\./)).toBeTruthy();
    expect(dialog.getAllByText('left out')).toHaveLength(1);
    act(() => tab.stream.send(delta(2, { sandboxes: [box({ state: 'Paused', phase: 'Paused', paused: true })] })));
    expect(await dialog.findByText(/Seen in the cluster: 1\./)).toBeTruthy();
    stopped = false;
    await user.click(dialog.getByRole('button', { name: 'Go on with the 1 left out' }));
    expect(await dialog.findByText(/^3 of 3 answered, 2 accepted\./)).toBeTruthy();
    // What was sent once is not sent again.
    expect(server.writes().map(({ items }) => items.map(({ name }) => name))).toEqual([
      ['name-a', 'name-b', 'name-c'],
      ['name-c'],
    ]);
  });

  it('says of a resume how many would not come back, going by those of the same revision, and how many may not', async () => {
    api();
    const paused = { state: 'Paused', phase: 'Paused', paused: true } as const;
    const of = (uid: string, over: Partial<SandboxRow>) => sandbox(uid, { ...paused, ...over }) as SandboxRow;
    const rows = [
      of('a', { pinned: true, pool: 'tools', hash: 'r1' }),
      of('b', { pinned: true, strands: true }),
      of('c', { pinned: true, pool: 'tools', hash: 'r2' }),
      of('d', { pool: 'tools', hash: 'r1' }),
    ];
    const alike = sandbox('e', { pool: 'tools', hash: 'r1', strands: true }) as SandboxRow;
    const { dialog, tab } = await openFrom(rows, 'Resume…');
    expect(dialog.getByText('It would not come back')).toBeTruthy();
    expect(dialog.getByText('2 may not come back')).toBeTruthy();
    act(() => tab.stream.send(delta(2, { sandboxes: [alike] })));
    expect(await dialog.findByText('2 would not come back')).toBeTruthy();
    expect(dialog.getByText('It may not come back')).toBeTruthy();
    expect(dialog.getAllByRole('button', { name: 'Change images first…' })).toHaveLength(2);
  });

  it('says of a resume who names the image where that is not the template of the sandbox', async () => {
    api();
    const paused = { state: 'Paused', phase: 'Paused', paused: true, pinned: true } as const;
    const rows = [
      sandbox('a', { ...paused, imageFrom: 'injection' }) as SandboxRow,
      sandbox('b', { ...paused, imageFrom: 'SandboxTemplate' }) as SandboxRow,
    ];
    const { dialog } = await openFrom(rows, 'Resume…');
    expect(dialog.getByText(/the controller injects it/)).toBeTruthy();
    expect(dialog.getByText(/named in the SandboxTemplate/)).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Change images first…' })).toBeNull();
  });

  it('wants the number typed above twenty, and fills the table portion by portion until an answer is lost', async () => {
    const server = api();
    const many = Array.from({ length: 30 }, (_, i) => sandbox(`s${i}`)) as SandboxRow[];
    let requests = 0;
    server.answer = ({ dryRun }) => {
      if (dryRun) return undefined;
      requests += 1;
      if (requests < 2) return undefined;
      const problem = {
        code: 'upstream_timeout',
        status: 504,
        message: 'too slow',
        applied: 'unknown',
        requestId: 'r',
      };
      return Response.json(problem, { status: 504 });
    };
    const { dialog } = await openFrom(many, 'Delete…');
    await dialog.findAllByText('accepted');
    expect(dialog.getByRole('button', { name: 'Delete 30' }).getAttribute('aria-disabled')).toBe('true');
    await user.type(dialog.getByLabelText('Type 30 to confirm'), '30');
    await user.click(await ready(dialog, 'Delete 30'));
    expect(await dialog.findByText(/^30 of 30 answered, 10 accepted\./)).toBeTruthy();
    expect(dialog.getAllByText('unknown: not sent again')).toHaveLength(10);
    expect(dialog.getAllByText('left out')).toHaveLength(10);
    expect(requests).toBe(2);
  });

  it('names the new Pod of each, once it is there', async () => {
    const server = api();
    server.pods = { a: 'old-pod-uid-a', b: 'old-pod-uid-b' };
    server.outcome = (item, { change }) => ({
      result: 'accepted',
      receipt: receiptOf(item, change, { before: { podUid: `old-pod-uid-${item.uid}` } }),
    });
    const stuck = ['a', 'b'].map((uid) => sandbox(uid, { state: 'Resuming', phase: 'Resuming' }) as SandboxRow);
    const { dialog } = await openFrom(stuck, 'Delete pod…');
    await dialog.findAllByText('accepted');
    await user.click(await ready(dialog, 'Delete 2 pods'));
    expect(await dialog.findByText(/2 accepted\. Seen in the cluster: 0\./)).toBeTruthy();
    server.pods = { a: 'new-pod-uid-a', b: 'old-pod-uid-b' };
    expect(await dialog.findByText('Observed: new pod new-…id-a in place of old-…id-a')).toBeTruthy();
    expect(dialog.getByText(/Seen in the cluster: 1\./)).toBeTruthy();
    server.pods = { a: 'new-pod-uid-a', b: 'new-pod-uid-b' };
    expect(await dialog.findByText('Observed: new pod new-…id-b in place of old-…id-b')).toBeTruthy();
    expect(dialog.getByText(/Seen in the cluster: 2\./)).toBeTruthy();
  });

  it('says of each that was paused or resumed what is seen of it', async () => {
    const server = api();
    const running = [box(), sandbox('b', { claimed: true })] as SandboxRow[];
    const pausing = await openFrom(running, 'Pause…');
    await pausing.dialog.findAllByText('accepted');
    await user.click(await ready(pausing.dialog, 'Pause 2'));
    const paused = running.map((row) => ({ ...row, state: 'Paused', phase: 'Paused', paused: true }) as SandboxRow);
    act(() => pausing.tab.stream.send(delta(2, { sandboxes: paused })));
    expect(await pausing.dialog.findAllByText('Observed: paused, its pod is gone')).toHaveLength(2);
    cleanup();
    const resuming = await openFrom(paused, 'Resume…');
    await resuming.dialog.findAllByText('accepted');
    await user.click(await ready(resuming.dialog, 'Resume 2'));
    server.pods = { a: 'new-pod-uid-a', b: 'new-pod-uid-b' };
    act(() => resuming.tab.stream.send(delta(2, { sandboxes: running.map((row) => ({ ...row, phase: 'Running' })) })));
    expect(await resuming.dialog.findByText('Observed: running, new pod new-…id-a')).toBeTruthy();
    expect(await resuming.dialog.findByText('Observed: running, new pod new-…id-b')).toBeTruthy();
  });

  it('says why nothing can be sent where all are refused, beside the button', async () => {
    const server = api();
    server.outcome = ({ name }) => ({
      result: 'refused',
      problem:
        name === 'name-c'
          ? { ...refusal, reason: undefined, message: 'webhook: name-c is protected' }
          : { ...refusal, values: { ...refusal.values, sandbox: name } },
    });
    const { dialog } = await openFrom(three, 'Pause…');
    expect(await dialog.findByText('0 of 3 would be accepted, 3 refused')).toBeTruthy();
    expect(dialog.getByText(/^2 × it is an idle member of its pool/)).toBeTruthy();
    expect(dialog.getByText('1 × webhook: … is protected')).toBeTruthy();
    const why = dialog.getByText('None of them would be accepted.');
    const button = dialog.getByRole('button', { name: 'Pause 3' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(button.getAttribute('aria-describedby')).toBe(why.id);
    expect(dialog.queryByText(/^With “Stop”/)).toBeNull();
  });

  it('offers nothing to send where all are so already', async () => {
    const server = api();
    server.outcome = (item, { change }) => ({ result: 'unchanged', receipt: receiptOf(item, change) });
    const { dialog } = await openFrom(three, 'Pause…');
    expect(await dialog.findByText('All 3 are paused already: nothing would be written.')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Pause 3' })).toBeNull();
    expect(dialog.queryByText(/kubectl/)).toBeNull();
    expect(dialog.getByRole('button', { name: 'Close' })).toBeTruthy();
  });

  it('asks about all of more than one request takes, and can be stopped and go on', async () => {
    const server = api();
    const many = Array.from({ length: 600 }, (_, i) => sandbox(`s${i}`)) as SandboxRow[];
    const held: (() => void)[] = [];
    server.answer = () => new Promise((resolve) => held.push(() => resolve(undefined)));
    const { dialog } = await openFrom(many, 'Pause…');
    await waitFor(() => expect(held).toHaveLength(1));
    held[0]?.();
    expect(await dialog.findByText('250 of 250 would be accepted')).toBeTruthy();
    expect(dialog.getByText(/^Dry run: 250 of 600 asked\./)).toBeTruthy();
    await waitFor(() => expect(held).toHaveLength(2));
    await user.click(dialog.getByRole('button', { name: 'Stop asking' }));
    held[1]?.();
    await user.click(await dialog.findByRole('button', { name: 'Ask about the rest' }));
    await waitFor(() => expect(held).toHaveLength(3));
    held[2]?.();
    await waitFor(() => expect(held).toHaveLength(4));
    held[3]?.();
    expect(await dialog.findByText('600 of 600 would be accepted')).toBeTruthy();
    expect(dialog.queryByText(/^Dry run: /)).toBeNull();
    expect(server.sent.map(({ items }) => items[0]?.name)).toEqual(['name-s0', 'name-s250', 'name-s250', 'name-s500']);
  });

  it('speaks Chinese', async () => {
    api();
    const { dialog } = await openFrom(three, '暂停…', 'zh-CN');
    expect(await dialog.findByText('影响 1 个已认领的会话：', { exact: false })).toBeTruthy();
    expect(dialog.getByRole('button', { name: '暂停 3 个' })).toBeTruthy();
  });
});

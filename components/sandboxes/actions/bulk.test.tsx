// @vitest-environment jsdom
import { act } from '@testing-library/react';
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
    expect(await dialog.findByText(/it is an idle member of its pool/)).toBeTruthy();
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

  it('speaks Chinese', async () => {
    api();
    const { dialog } = await openFrom(three, '暂停…', 'zh-CN');
    expect(await dialog.findByText('影响 1 个已认领的会话：', { exact: false })).toBeTruthy();
    expect(dialog.getByRole('button', { name: '暂停 3 个' })).toBeTruthy();
  });
});

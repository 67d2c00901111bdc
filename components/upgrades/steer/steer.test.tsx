// @vitest-environment jsdom
import { act, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { delta, sandbox } from '@/lib/live/testing';
import { setUpPage } from '../../testing/set-up-page';
import { openForm, ready, running } from '../page-testing';
import { failedHook, fakeApi, receiptOf } from '../testing';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades/demo/november' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

const path = '/api/v1/upgrades/demo/november';

describe('pause and continue', () => {
  it('says what keeps going, sends exactly that, and waits until the watch shows it', async () => {
    const api = fakeApi();
    const { dialog, user, tab } = await openForm('pause');
    expect(dialog.getByText('2 in flight keep going to their end.')).toBeTruthy();
    expect(dialog.getByText('4 that wait do not start.')).toBeTruthy();
    expect(await dialog.findByText(/^Dry run accepted by the server/)).toBeTruthy();
    await user.click(await ready(dialog, 'Pause'));
    expect(await dialog.findByText(/^Accepted\. Waiting for the watch/)).toBeTruthy();
    expect(api.writes()).toEqual([
      {
        path: `${path}/settings`,
        body: { uid: 'uid-november', change: { what: 'paused', from: false, to: true }, dryRun: false },
      },
    ]);
    act(() => tab.stream.send(delta(2, { sandboxupdateops: [running({ paused: true, gen: 2 })] })));
    expect(await dialog.findByText(/^Observed: spec\.paused is true/)).toBeTruthy();
  });

  it('tells those that would stay between the two phases', async () => {
    fakeApi();
    const resumed = { ...failedHook('november'), stage: 'ResumeSucceed' };
    const { dialog } = await openForm('pause', running(), [sandbox('a', resumed)]);
    expect(dialog.getByText(/^1 that is being resumed for the change/)).toBeTruthy();
  });

  it('says how many start, and nothing is lost when the server refuses', async () => {
    const api = fakeApi();
    api.onPost = ({ body }) =>
      body.dryRun === true
        ? { body: receiptOf({ body }) }
        : {
            status: 409,
            body: { code: 'conflict', status: 409, message: 'it moved on', requestId: 'r', applied: 'no' },
          };
    const { dialog, user } = await openForm('continue', running({ paused: true }));
    expect(dialog.getByText('1 starts at once, of 4 that wait.')).toBeTruthy();
    await user.click(await ready(dialog, 'Continue'));
    expect((await dialog.findByRole('alert')).textContent).toContain('it moved on');
    expect(dialog.getByRole('button', { name: 'Continue' })).toBeTruthy();
  });
});

it('a pause that came too late says so, and tells no consequences any more', async () => {
  fakeApi();
  const { dialog, user, tab } = await openForm('pause');
  await user.click(await ready(dialog, 'Pause'));
  expect(dialog.queryByRole('list', { name: 'What happens' })).toBeNull();
  const over = running({ phase: 'Completed', updated: 10, updating: 0, failed: 0, paused: true, gen: 2 });
  act(() => tab.stream.send(delta(2, { sandboxupdateops: [over] })));
  expect(await dialog.findByText('It ended meanwhile: there is nothing left to pause.')).toBeTruthy();
});

describe('the limit', () => {
  it('shows what a percentage comes to and what it does, and sends what was seen with it', async () => {
    const api = fakeApi();
    const { dialog, user } = await openForm('limit&to=60%25');
    expect(dialog.getByText('4 → 6 at a time, of 10.')).toBeTruthy();
    expect(dialog.getByText(/^3 start at once/)).toBeTruthy();
    expect(dialog.getByText('5 more failures stop it.')).toBeTruthy();
    await user.click(await ready(dialog, 'Set to 60%'));
    await waitFor(() => expect(api.writes()).toHaveLength(1));
    expect(api.writes()[0]?.body).toMatchObject({ change: { what: 'maxUnavailable', from: 4, to: '60%' } });
  });

  it.each(['0', '101%', 'x', '', '1.5', '-1'])('does not send %j', async (typed) => {
    const api = fakeApi();
    const { dialog } = await openForm(`limit&to=${encodeURIComponent(typed)}`);
    expect(dialog.getByText('Give a number of at least 1, or a percentage from 1% to 100%.')).toBeTruthy();
    expect(api.sent).toEqual([]);
  });

  it('keeps what was typed when somebody else changes it underneath', async () => {
    fakeApi();
    const { dialog, user, tab } = await openForm('limit&to=6');
    act(() => tab.stream.send(delta(2, { sandboxupdateops: [running({ maxUnavailable: 5, gen: 2 })] })));
    expect(await dialog.findByText('Changed underneath: 4 → 5')).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Set to 6' }).getAttribute('aria-disabled')).toBe('true');
    await user.click(dialog.getByRole('button', { name: 'Continue from 5' }));
    await ready(dialog, 'Set to 6');
    expect(dialog.getByRole<HTMLInputElement>('textbox').value).toBe('6');
  });
});

describe('deletion', () => {
  const sandboxes = [
    sandbox('a', { name: 'a', ...failedHook('november') }),
    sandbox('b', { name: 'b', ...failedHook('november'), stage: 'UpgradePod' }),
    sandbox('c', { name: 'c', op: 'november', gen: 3, obs: 3, upgraded: true }),
  ];

  it('says by name what becomes of each, and asks for the name when sessions are between phases', async () => {
    const api = fakeApi();
    const { dialog, user, tab } = await openForm('delete', running(), sandboxes);
    const fates = within(dialog.getByRole('list', { name: 'What happens' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(fates[0]).toMatch(/^1 in flight: .* there is no abort.*b$/);
    expect(fates[1]).toMatch(/^1 failed: .* until another operation takes it up.*a$/);
    expect(fates[2]).toMatch(/^1 done: .*c$/);
    expect(dialog.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true');
    const typed = dialog.getByRole('textbox', { name: /^Type november to confirm: 2 sessions/ });
    await user.type(typed, 'november');
    await ready(dialog, 'Delete');
    // With the keyboard alone: the field is one of two, and the button lies outside of their form.
    await user.type(typed, '{Enter}');
    await waitFor(() => expect(api.writes()).toHaveLength(1));
    expect(api.writes()[0]).toEqual({ path: `${path}/delete`, body: { uid: 'uid-november', dryRun: false } });
    act(() => tab.stream.send(delta(2, {}, { sandboxupdateops: ['uid-november'] })));
    expect(await dialog.findByText(/^Observed: it is gone/)).toBeTruthy();
    expect(dialog.getByText(/^1 in flight/)).toBeTruthy();
  });

  it('promises no end to one whose Pod is refused, and tells when what was marked is gone', async () => {
    fakeApi();
    const cause = { code: 'PodCreateFailed' as const, detail: 'Pod "w" is invalid: spec' };
    const row = sandbox('w', { name: 'w', ...failedHook('november'), claimed: undefined, stage: 'UpgradePod', cause });
    const { dialog, user, tab } = await openForm('delete', running(), [row]);
    const [fate] = within(dialog.getByRole('list', { name: 'What happens' })).getAllByRole('listitem');
    expect(fate?.textContent).toMatch(/^1 whose Pod is refused: .* until another operation takes it up.*w$/);
    await user.click(await ready(dialog, 'Delete'));
    act(() => tab.stream.send(delta(2, { sandboxupdateops: [running({ deleting: 1, gen: 2 })] })));
    expect(await dialog.findByText(/its finalizer holds it/)).toBeTruthy();
    act(() => tab.stream.send(delta(3, {}, { sandboxupdateops: ['uid-november'] })));
    expect(await dialog.findByText(/^Observed: it is gone/)).toBeTruthy();
    expect(dialog.queryByText(/its finalizer holds it/)).toBeNull();
  });
});

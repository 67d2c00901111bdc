// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { UpgradeRow } from '@/lib/contracts/rows';
import type { UpgradeGuard } from '@/lib/contracts/upgrade-writes';
import { delta, sandbox } from '@/lib/live/testing';
import { renderConsole } from '../../testing/render-console';
import { setUpPage } from '../../testing/set-up-page';
import { handOverKey } from '../plan/hand-over';
import { failedHook, fakeApi, history, operation, receiptOf, wholeOperation } from '../testing';
import { UpgradePage } from '../upgrade-page';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades/demo/november' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

const path = '/api/v1/upgrades/demo/november';
const running = (over: Partial<UpgradeRow> = {}) =>
  operation({ name: 'november', total: 10, updated: 3, updating: 2, failed: 1, maxUnavailable: 4, ...over });

async function open(form: string, op = running(), sandboxes: ReturnType<typeof sandbox>[] = []) {
  const view = await renderConsole(<UpgradePage ns="demo" name="november" />, {
    rows: { sandboxupdateops: [op], sandboxes },
    search: `?form=${form}`,
  });
  return { ...view, user: userEvent.setup({ delay: null }), dialog: within(await screen.findByRole('dialog')) };
}
/** A button of the form that may be pressed. */
const ready = async (dialog: ReturnType<typeof within>, name: string) => {
  const button = await dialog.findByRole('button', { name });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  return button;
};

describe('pause and continue', () => {
  it('says what keeps going, sends exactly that, and waits until the watch shows it', async () => {
    const api = fakeApi();
    const { dialog, user, tab } = await open('pause');
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
    const { dialog } = await open('pause', running(), [sandbox('a', resumed)]);
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
    const { dialog, user } = await open('continue', running({ paused: true }));
    expect(dialog.getByText('1 starts at once, of 4 that wait.')).toBeTruthy();
    await user.click(await ready(dialog, 'Continue'));
    expect((await dialog.findByRole('alert')).textContent).toContain('it moved on');
    expect(dialog.getByRole('button', { name: 'Continue' })).toBeTruthy();
  });
});

it('a pause that came too late says so, and tells no consequences any more', async () => {
  fakeApi();
  const { dialog, user, tab } = await open('pause');
  await user.click(await ready(dialog, 'Pause'));
  expect(dialog.queryByRole('list', { name: 'What happens' })).toBeNull();
  const over = running({ phase: 'Completed', updated: 10, updating: 0, failed: 0, paused: true, gen: 2 });
  act(() => tab.stream.send(delta(2, { sandboxupdateops: [over] })));
  expect(await dialog.findByText('It ended meanwhile: there is nothing left to pause.')).toBeTruthy();
});

describe('the limit', () => {
  it('shows what a percentage comes to and what it does, and sends what was seen with it', async () => {
    const api = fakeApi();
    const { dialog, user } = await open('limit&to=60%25');
    expect(dialog.getByText('4 → 6 at a time, of 10.')).toBeTruthy();
    expect(dialog.getByText(/^3 start at once/)).toBeTruthy();
    expect(dialog.getByText('5 more failures stop it.')).toBeTruthy();
    await user.click(await ready(dialog, 'Set to 60%'));
    await waitFor(() => expect(api.writes()).toHaveLength(1));
    expect(api.writes()[0]?.body).toMatchObject({ change: { what: 'maxUnavailable', from: 4, to: '60%' } });
  });

  it.each(['0', '101%', 'x', '', '1.5', '-1'])('does not send %j', async (typed) => {
    const api = fakeApi();
    const { dialog } = await open(`limit&to=${encodeURIComponent(typed)}`);
    expect(dialog.getByText('Give a number of at least 1, or a percentage from 1% to 100%.')).toBeTruthy();
    expect(api.sent).toEqual([]);
  });

  it('keeps what was typed when somebody else changes it underneath', async () => {
    fakeApi();
    const { dialog, user, tab } = await open('limit&to=6');
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
    const { dialog, user, tab } = await open('delete', running(), sandboxes);
    const fates = within(dialog.getByRole('list', { name: 'What happens' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(fates[0]).toMatch(/^1 in flight .* there is no abort.*b$/);
    expect(fates[1]).toMatch(/^1 failed .* until another operation takes it up.*a$/);
    expect(fates[2]).toMatch(/^1 done .*c$/);
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
    const { dialog, user, tab } = await open('delete', running(), [row]);
    const [fate] = within(dialog.getByRole('list', { name: 'What happens' })).getAllByRole('listitem');
    expect(fate?.textContent).toMatch(/^1 whose Pod is refused .* until another operation takes it up.*w$/);
    await user.click(await ready(dialog, 'Delete'));
    act(() => tab.stream.send(delta(2, { sandboxupdateops: [running({ deleting: 1, gen: 2 })] })));
    expect(await dialog.findByText(/its finalizer holds it/)).toBeTruthy();
    act(() => tab.stream.send(delta(3, {}, { sandboxupdateops: ['uid-november'] })));
    expect(await dialog.findByText(/^Observed: it is gone/)).toBeTruthy();
    expect(dialog.queryByText(/its finalizer holds it/)).toBeNull();
  });
});

describe('the guard', () => {
  const guard = (over: Partial<UpgradeGuard> = {}): UpgradeGuard => ({
    limits: { failures: 2 },
    state: 'armed',
    setBy: 'mara',
    setAt: Date.parse('2026-11-03T08:00:00Z'),
    ...over,
  });

  it('is set, with a warning when it would pause at once', async () => {
    const reads = { [`${path}/history`]: history() };
    const api = fakeApi(reads);
    api.onPost = () => {
      reads[`${path}/history`] = history({ guard: guard({ limits: { failures: 1 } }) });
      return { body: { guard: guard({ limits: { failures: 1 } }) } };
    };
    const { dialog, user } = await open('guard');
    expect(await dialog.findByText(/^Not set/)).toBeTruthy();
    await user.type(dialog.getByRole('textbox', { name: 'Failed sandboxes' }), '1');
    expect(dialog.getByText('It would pause at once: 1 failed of 4 that ended')).toBeTruthy();
    await user.click(await ready(dialog, 'Set'));
    expect(await dialog.findByText('Armed: pauses at 1 failure.')).toBeTruthy();
    expect(api.sent).toEqual([{ path: `${path}/guard`, body: { uid: 'uid-november', limits: { failures: 1 } } }]);
  });

  it('is shown when it has fired, and can be taken away', async () => {
    const fired = guard({ state: 'fired', firedAt: Date.parse('2026-11-03T09:00:00Z') });
    const api = fakeApi({ [`${path}/history`]: history({ guard: fired }) });
    api.onPost = () => ({ body: { guard: null } });
    const { dialog, user } = await open('guard', running({ paused: true }));
    expect(
      await dialog.findByText('Automatic pause at 09:00:00 UTC: the limit of 2 failures was reached'),
    ).toBeTruthy();
    expect(dialog.getByText(/Set by mara/)).toBeTruthy();
    await user.click(await ready(dialog, 'Take it away'));
    await waitFor(() => expect(api.sent[0]?.body).toEqual({ uid: 'uid-november', limits: null }));
  });

  it('that cannot pause is shown as such before it has to, on the page too', async () => {
    fakeApi({ [`${path}/history`]: history({ guard: guard({ unable: true }) }) });
    const { dialog } = await open('guard');
    const title = 'Automatic pause will not work: mara may not patch this operation';
    expect(await dialog.findByText(title)).toBeTruthy();
    expect(dialog.queryByText(/^Armed/)).toBeNull();
    expect(screen.getAllByText(title)).toHaveLength(2);
  });

  it('says why it could not pause, in the API server’s words', async () => {
    const problem = 'sandboxupdateops "november" is forbidden';
    fakeApi({ [`${path}/history`]: history({ guard: guard({ state: 'failed', firedAt: 1, problem }) }) });
    const { dialog } = await open('guard');
    expect(await dialog.findByText(problem)).toBeTruthy();
    expect(dialog.getByText(/It goes on trying/)).toBeTruthy();
  });
});

describe('roll back', () => {
  it('plans what the sandboxes had before, the done and the failed apart', async () => {
    const template = { spec: { containers: [{ name: 'main', image: 'code:v2' }] } };
    const chosen = (name: string) => ({ uid: name, name });
    const group = {
      key: 'g-1',
      sandboxes: ['a', 'c'].map(chosen),
      before: template,
      after: template,
      inverse: template,
    };
    fakeApi({
      [`${path}/history`]: history({ groups: [group], unknown: [chosen('z')] }),
      '/objects/sandboxupdateops/demo/november': wholeOperation('november'),
    });
    const { dialog, user } = await open('rollBack', running(), [
      sandbox('a', { name: 'a', ...failedHook('november') }),
      sandbox('c', { name: 'c', op: 'november', gen: 3, obs: 3, upgraded: true }),
    ]);
    expect(await dialog.findByText('What 1 sandbox had before is not known')).toBeTruthy();
    await user.click(await ready(dialog, 'Plan for the 1 failed…'));
    const id = /draft=(\w+)/.exec(String(push.mock.lastCall?.[0]))?.[1] ?? '';
    expect(JSON.parse(sessionStorage.getItem(handOverKey(id)) ?? 'null')).toMatchObject({
      targets: { by: 'selection', sandboxes: [{ uid: 'a' }] },
      change: { by: 'restore', operation: { uid: 'uid-november', name: 'november' }, group: 'g-1' },
    });
    expect(dialog.getByRole('button', { name: 'Plan for the 1 done…' })).toBeTruthy();
  });

  it('takes those that are held up with the new template, and counts only checkpoints that can be restored', async () => {
    const template = { spec: { containers: [{ name: 'main', image: 'code:v2' }] } };
    const names = ['held', 'saves', 'kept'];
    const sandboxes = names.map((name) => ({ uid: name, name }));
    const group = { key: 'g-1', sandboxes, before: template, after: template, inverse: template };
    const checkpoints = {
      held: { name: 'held-1', phase: 'Succeeded', id: 'cp-1' },
      saves: { name: 'saves-1', phase: '' },
      kept: { name: 'kept-1', phase: 'Succeeded' },
    };
    fakeApi({
      [`${path}/history`]: history({ groups: [group, { ...group, key: 'g-2', sandboxes: [] }], checkpoints }),
      '/objects/sandboxupdateops/demo/november': wholeOperation('november'),
    });
    const { dialog, user } = await open('rollBack', running(), [
      sandbox('held', {
        name: 'held',
        ...failedHook('november'),
        stage: 'UpgradePod',
        cause: { code: 'PodCreateFailed', detail: 'Pod "held" is invalid: spec' },
      }),
      sandbox('saves', { name: 'saves', ...failedHook('november'), stage: 'UpgradePod' }),
      sandbox('kept', { name: 'kept', ...failedHook('november'), stage: 'PreUpgradeFailed' }),
    ]);
    expect(await dialog.findByText(/^A checkpoint of 1 sandbox exists/)).toBeTruthy();
    expect(dialog.getByText(/^1 of the failed still has its old Pod, which stays/)).toBeTruthy();
    expect(dialog.getByText(/^They had 2 different templates before/)).toBeTruthy();
    expect(dialog.getByText(/^1 in flight is not among them/)).toBeTruthy();
    await user.click(await ready(dialog, 'Plan for the 1 held up…'));
    const id = /draft=(\w+)/.exec(String(push.mock.lastCall?.[0]))?.[1] ?? '';
    expect(JSON.parse(sessionStorage.getItem(handOverKey(id)) ?? 'null')).toMatchObject({
      targets: { by: 'selection', sandboxes: [{ uid: 'held' }] },
    });
  });
});

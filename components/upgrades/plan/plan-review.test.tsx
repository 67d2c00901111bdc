// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delta } from '@/lib/live/testing';
import { setUpPage } from '../../testing/set-up-page';
import { operation } from '../testing';
import { enabled, fakeApi, openReview, previewOf, receiptOf, startButton as start, step, target } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/upgrades/new' }));
vi.mock('../../shell/scope', () => ({ useScope: () => ({ namespaces: [] }) }));
vi.setConfig({ testTimeout: 60_000 });

setUpPage();
beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The five seconds are over after which the page asks for the preview again. */
const askedAgain = () => act(() => vi.advanceTimersByTimeAsync(5_000));

describe('the review of an upgrade', () => {
  it('shows the manifest, what the API server says, and whom it meets', async () => {
    const api = fakeApi();
    api.onPreview = () => ({
      body: previewOf({
        time: 1_000,
        targets: [
          target('web-a', { owner: 'ann', shutdownAt: 2_000 }),
          target('web-b', { owner: 'ann' }),
          target('web-c', { owner: 'bob', phase: 'Paused' }),
        ],
      }),
    });
    await openReview({ states: ['Running', 'Paused'] });
    await screen.findByText('Dry run accepted by the server · resourceVersion 88');
    const manifest = screen.getByRole('region', { name: 'Manifest' }).textContent ?? '';
    for (const line of ['kind: SandboxUpdateOps', 'name: next', 'maxUnavailable: 1', 'image: code:v2']) {
      expect(manifest).toContain(line);
    }
    expect(screen.getByText('next.yaml').closest('code')?.textContent).toBe('kubectl apply -f next.yaml');
    expect(screen.getByText('3 sessions are interrupted, 1 at a time')).toBeTruthy();
    expect(screen.getByText('1 paused sandbox is resumed, changed and paused again')).toBeTruthy();
    expect(screen.getByText('ann', { selector: 'dd *' }).closest('div')?.textContent).toBe('2ann');
    expect(screen.getByText(/^1 sandbox reaches its deadline in that time and is shut down then/)).toBeTruthy();
    expect(api.sent.at(-1)?.body).toMatchObject({ dryRun: true, frozen: [{}, {}, {}] });
  });

  it('does not start while something stops it, and says what', async () => {
    const api = fakeApi();
    api.onPreview = () => ({
      body: previewOf({
        active: ['other'],
        problems: [
          { code: 'namespaceLocked', weight: 'stops', names: ['other'], count: 1 },
          { code: 'hookWithoutRuntime', weight: 'warns', names: ['web-a'], count: 1 },
        ],
      }),
    });
    const { user } = await openReview();
    expect(await screen.findByText('other holds the lock of lab')).toBeTruthy();
    expect(screen.getByText('1 sandbox names no agent runtime')).toBeTruthy();
    expect(screen.getByText('other holds the lock of the namespace')).toBeTruthy();
    await user.click(start());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(step('Targets').textContent).toContain('(cannot be started)');
    expect(step('Review').textContent).toContain('(not complete)');
  });

  it('does not go on saying that nobody holds the lock when the server stops answering', async () => {
    const api = fakeApi();
    await openReview();
    expect(await screen.findByText('No other operation is active in lab')).toBeTruthy();
    const problem = { code: 'upstream_unavailable', status: 503, message: 'connect ECONNREFUSED', requestId: 'r' };
    api.onPreview = () => ({ status: 503, body: problem });
    await askedAgain();
    await waitFor(() => expect(screen.queryByText('No other operation is active in lab')).toBeNull());
    expect(screen.getByText('2 sessions are interrupted, 1 at a time')).toBeTruthy();
  });

  it('names the first step that is not complete', async () => {
    fakeApi();
    await openReview({ change: { by: 'none' } });
    expect(await screen.findByText('Change: something is not right yet.')).toBeTruthy();
    expect(screen.getByText('The manifest is shown when the plan is complete.')).toBeTruthy();
  });

  it('shows a webhook’s refusal in its words, and keeps the plan', async () => {
    const api = fakeApi();
    const words = 'admission webhook "v-suo.kb.io" denied the request: there is an active SandboxUpdateOps: other';
    api.onCreate = (body) =>
      body.dryRun
        ? { body: receiptOf(body) }
        : { status: 422, body: { code: 'validation', status: 422, message: words, applied: 'no', requestId: 'req-1' } };
    const { user } = await openReview();
    await enabled();
    await user.click(start());
    await user.type(await screen.findByLabelText('Type 2 to confirm'), '2{Enter}');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Not applied');
    expect(alert.textContent).toContain(words);
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'next');
    expect(api.writes()).toHaveLength(1);
  });

  it('keeps the last question open, and what was typed, while others match: it says so and waits for a new number', async () => {
    const api = fakeApi();
    const { user } = await openReview();
    await enabled();
    await user.click(start());
    await user.type(await screen.findByLabelText('Type 2 to confirm'), '2');
    api.onPreview = () => ({ body: previewOf({ targets: [target('web-a'), target('web-b'), target('web-c')] }) });
    const dialog = await screen.findByRole('dialog', { name: 'Upgrade 2 sandboxes' });
    await askedAgain();
    await within(dialog).findByText('Others match by now');
    const field = within(dialog).getByLabelText('Type 2 to confirm');
    await user.type(field, '{Enter}');
    expect(api.writes()).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: 'Take the new list' }));
    expect(within(dialog).getByLabelText('Type 3 to confirm')).toHaveProperty('value', '2');
    await user.type(field, '{Backspace}3');
    const confirm = () => within(dialog).getByRole('button', { name: 'Upgrade 3 sandboxes' });
    await waitFor(() => expect(confirm().getAttribute('aria-disabled')).not.toBe('true'), { timeout: 5_000 });
    await user.type(field, '{Enter}');
    await waitFor(() => expect(api.writes()).toHaveLength(1));
    expect(api.writes()[0]?.body).toMatchObject({ frozen: [{}, {}, {}] });
  });

  it('is not stopped by those that go, and says who they are', async () => {
    const api = fakeApi();
    const { user } = await openReview();
    await enabled();
    await user.click(start());
    await user.type(await screen.findByLabelText('Type 2 to confirm'), '2');
    api.onPreview = () => ({ body: previewOf({ targets: [target('web-a')] }) });
    const dialog = screen.getByRole('dialog', { name: 'Upgrade 2 sandboxes' });
    await askedAgain();
    await within(dialog).findByText('1 of the list is not taken any more');
    await user.type(within(dialog).getByLabelText('Type 2 to confirm'), '{Enter}');
    await waitFor(() => expect(api.writes()).toHaveLength(1));
  });

  it('keeps to the list that was looked at on request: what comes later does not get onto it', async () => {
    const api = fakeApi();
    const { user } = await openReview();
    await enabled();
    const now = [target('web-a'), target('web-b')];
    api.onPreview = ({ targets }) => {
      now.push(target(`late-${now.length}`));
      return { body: previewOf({ targets: targets.by === 'selection' ? now.slice(0, 2) : now }) };
    };
    await askedAgain();
    await user.click(await screen.findByRole('button', { name: 'Only the 2 I looked at' }));
    await enabled();
    expect(screen.queryByText('Others match by now')).toBeNull();
    await user.click(start());
    await user.type(await screen.findByLabelText('Type 2 to confirm'), '2{Enter}');
    await waitFor(() => expect(api.writes()).toHaveLength(1));
    const sandboxes = [
      { uid: 'u-web-a', name: 'web-a' },
      { uid: 'u-web-b', name: 'web-b' },
    ];
    expect(api.writes()[0]?.body).toMatchObject({
      frozen: sandboxes,
      draft: { targets: { by: 'selection', sandboxes } },
    });
  });

  it('leads to the result: its place has the focus, and one link goes on from it', async () => {
    fakeApi();
    const { user } = await openReview();
    await enabled();
    await user.click(start());
    await user.type(await screen.findByLabelText('Type 2 to confirm'), '2{Enter}');
    const result = await screen.findByRole('region', { name: 'Upgrade next created' });
    await waitFor(() => expect(document.activeElement).toBe(result));
    const hrefs = within(result)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
    expect(hrefs.filter((href) => href === '/upgrades/lab/next')).toHaveLength(1);
  });

  it('keeps the hooks of an operation that is undone out, says so, and adds one on request', async () => {
    const api = fakeApi();
    const { user } = await openReview({
      targets: { by: 'selection', sandboxes: [{ uid: 'u-web-a', name: 'web-a' }] },
      change: { by: 'restore', operation: { uid: 'up', name: 'november' }, group: 'g' },
      origin: {
        as: 'rollBack',
        operation: 'november',
        hooks: { postUpgrade: { command: ['/bin/migrate', '--to=2'] } },
      },
    });
    expect(await screen.findByText('The hooks of november are not part of this plan')).toBeTruthy();
    expect(screen.getByText('/bin/migrate --to=2')).toBeTruthy();
    await enabled();
    expect(api.sent.at(-1)?.body.draft).not.toHaveProperty('postUpgrade');
    await user.click(screen.getByRole('button', { name: 'Add postUpgrade' }));
    expect(screen.queryByText('The hooks of november are not part of this plan')).toBeNull();
    await enabled();
    expect(api.sent.at(-1)?.body.draft).toMatchObject({ postUpgrade: { command: ['/bin/migrate', '--to=2'] } });
  });

  it('asks nothing of a dry run when it is the preview that fails, and says which', async () => {
    const api = fakeApi();
    const problem = { code: 'upstream_unavailable', status: 503, message: 'connect ECONNREFUSED', requestId: 'r' };
    api.onPreview = () => ({ status: 503, body: problem });
    await openReview();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('No answer to what the plan would take and change');
    expect(alert.textContent).not.toContain('dry run');
  });

  it('says that it is there when the answer was lost and the watch shows it', async () => {
    const api = fakeApi();
    const problem = { code: 'upstream_timeout', status: 504, message: 'no answer', applied: 'unknown', requestId: 'r' };
    api.onCreate = (body) => (body.dryRun ? { body: receiptOf(body) } : { status: 504, body: problem });
    const { user, tab } = await openReview();
    await enabled();
    await user.click(start());
    await user.type(await screen.findByLabelText('Type 2 to confirm'), '2{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('It may have been applied');
    act(() => tab.stream.send(delta(2, { sandboxupdateops: [operation({ name: 'next', ns: 'lab' })] })));
    expect(await screen.findByText('next is there, as seen in the cluster')).toBeTruthy();
    await user.type(screen.getByLabelText('Name'), '-2');
    expect(screen.queryByText(/as seen in the cluster/)).toBeNull();
  });

  it('never says that more are upgraded at a time than there are', async () => {
    fakeApi();
    await openReview({ maxUnavailable: 9 });
    expect(await screen.findByText('2 sessions are interrupted, 2 at a time')).toBeTruthy();
    expect(screen.getByText('9 → 2 of 2, 1 batch')).toBeTruthy();
  });

  it('says that chosen sandboxes get a label, and counts more than a handful by hand', async () => {
    const api = fakeApi();
    const many = Array.from({ length: 21 }, (_, i) => target(`box-${i}`, { claimed: false }));
    api.onPreview = () => ({ body: previewOf({ targets: many }) });
    const sandboxes = many.map(({ uid, name }) => ({ uid, name }));
    const { user } = await openReview({ targets: { by: 'selection', sandboxes } });
    await enabled();
    await user.click(start());
    const dialog = await screen.findByRole('dialog', { name: 'Upgrade 21 sandboxes' });
    expect(within(dialog).getByText('21 sandboxes get the label that the operation selects by')).toBeTruthy();
    expect(within(dialog).getByLabelText('Type 21 to confirm')).toBeTruthy();
  });

  it('asks for a dry run of exactly what is shown: another name is another question', async () => {
    const api = fakeApi();
    const { user } = await openReview();
    await enabled();
    await user.type(screen.getByLabelText('Name'), '-2');
    expect(screen.queryByText(/Dry run accepted/)).toBeNull();
    await screen.findByText(/Dry run accepted/);
    const dryRuns = api.sent.filter(({ path, body }) => path === '/api/v1/upgrades' && body.dryRun === true);
    expect(dryRuns.map(({ body }) => (body.draft as { name: string }).name)).toEqual(['next', 'next-2']);
  });
});

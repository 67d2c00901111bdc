// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { sandbox } from '@/lib/live/testing';
import { button, drawer, field, type } from './writes/scale-testing';
import { fakeApi, live, poolRow, receiptOf, renderInConsole, setUpForms } from './writes/testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/pools' }));
vi.mock('@/lib/live', async () => (await import('./writes/testing')).liveMock());

setUpForms();

describe('ScaleDrawer', () => {
  it('asks for a dry run, sends what was typed with what was seen, and waits until the row shows it', async () => {
    const api = fakeApi();
    const { rerender } = renderInConsole(drawer(poolRow()));
    const user = type('12');
    expect(screen.getByRole('dialog').textContent).toContain(
      'kubectl -n lab scale sbs/web --current-replicas=3 --replicas=12',
    );
    await screen.findByText(/Dry run accepted by the server · resourceVersion 88/);
    await user.click(button('Scale to 12'));
    await screen.findByText(/Waiting for the watch/);
    expect(api.writes()).toEqual([
      { path: '/api/v1/pools/lab/web/scale', body: { uid: 'u-1', from: 3, to: 12, dryRun: false } },
    ]);
    rerender(drawer(poolRow({ desired: 12 })));
    await screen.findByText(/^Observed: 12 wanted/);
    expect(field()).toHaveProperty('value', '12');
  });

  it('keeps saying what was seen when the change was confirmed, and what did it', async () => {
    const api = fakeApi();
    const line = 'kubectl -n lab scale sbs/web --current-replicas=3 --replicas=12';
    api.onPost = ({ body }) => ({ body: receiptOf(body, { kubectl: line }) });
    const { rerender } = renderInConsole(drawer(poolRow()));
    const user = type('12');
    await screen.findByText(/Dry run accepted/);
    await user.click(button('Scale to 12'));
    await screen.findByText(/Waiting for the watch/);
    rerender(drawer(poolRow({ desired: 12 })));
    await screen.findByText(/^Observed: 12 wanted/);
    rerender(drawer(poolRow({ desired: 15, gen: 2 })));
    expect(screen.getByText(/^Observed: 12 wanted/)).toBeTruthy();
    expect(screen.getByRole('dialog').textContent).toContain(line);
  });

  it('does not take the change it made itself for another writer’s, before the log of actions has it', async () => {
    fakeApi();
    const { rerender } = renderInConsole(drawer(poolRow()));
    const user = type('12');
    await screen.findByText(/Dry run accepted/);
    await user.click(button('Scale to 12'));
    await screen.findByText(/Waiting for the watch/);
    rerender(drawer(poolRow({ desired: 12, scaledFrom: 3, scaledAt: Date.now() })));
    await screen.findByText(/^Observed/);
    expect(screen.queryByText(/Another writer/)).toBeNull();
  });

  it('does not send what the dry run refused, until it is asked again', async () => {
    const api = fakeApi();
    const answer = api.onPost;
    api.onPost = () => ({
      status: 403,
      body: { code: 'forbidden', status: 403, message: 'no', applied: 'no', requestId: 'req-1' },
    });
    renderInConsole(drawer(poolRow()));
    const user = type('7');
    expect((await screen.findByRole('alert')).textContent).toContain('The dry run was refused');
    await user.click(button('Scale to 7'));
    expect(api.writes()).toEqual([]);
    api.onPost = answer;
    await user.click(button('Ask again'));
    await screen.findByText(/Dry run accepted/);
    await user.click(button('Scale to 7'));
    await waitFor(() => expect(api.writes()).toHaveLength(1));
  });

  it('says that the pool has the number already', () => {
    fakeApi();
    renderInConsole(drawer(poolRow({ desired: 8 })));
    expect(screen.getByText('already 8')).toBeTruthy();
  });

  it('does not count the sandboxes of a namesake when the pool is gone', () => {
    fakeApi();
    const { rerender } = renderInConsole(drawer(poolRow()));
    live.sandboxes = [sandbox('new', { ns: 'lab', pool: 'web', idle: true, state: 'Available' })];
    rerender(drawer(poolRow(), 1));
    expect(screen.getByText('Available now').nextSibling?.textContent).toBe('0 of 3');
  });

  it('stops what is no whole number before any request, and keeps it', async () => {
    const api = fakeApi();
    renderInConsole(drawer(poolRow()));
    type('1e3');
    expect(screen.getByText(/A whole number from 0/)).toBeTruthy();
    expect(button(/Scale to/).getAttribute('aria-disabled')).toBe('true');
    expect(field()).toHaveProperty('value', '1e3');
    expect(api.sent).toEqual([]);
  });

  it('asks before it scales to zero, and sends 0 as a number', async () => {
    const api = fakeApi();
    renderInConsole(drawer(poolRow()));
    const user = type('0');
    await waitFor(() => expect(button('Scale to 0').getAttribute('aria-disabled')).toBeNull());
    await user.click(button('Scale to 0'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Scale web to 0' }));
    expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }));
    expect(api.writes()).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Scale to 0' }));
    await waitFor(() => expect(api.writes()[0]?.body).toMatchObject({ to: 0, from: 3 }));
  });

  it('wants a large jump typed again', async () => {
    const api = fakeApi();
    renderInConsole(drawer(poolRow({ desired: 10 })));
    const user = type('1000');
    await waitFor(() => expect(button('Scale to 1,000').getAttribute('aria-disabled')).toBeNull());
    await user.click(button('Scale to 1,000'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Scale web from 10 to 1,000' }));
    const confirm = dialog.getByRole('button', { name: 'Scale to 1,000' });
    await user.click(confirm);
    expect(api.writes()).toEqual([]);
    fireEvent.change(dialog.getByLabelText('Type 1000 to confirm'), { target: { value: '1000' } });
    await user.click(confirm);
    await waitFor(() => expect(api.writes()).toHaveLength(1));
  });

  it('keeps what was typed when the pool changes underneath, and goes on only when told to', async () => {
    const api = fakeApi();
    const { rerender } = renderInConsole(drawer(poolRow()));
    const user = type('12');
    rerender(drawer(poolRow({ desired: 5 })));
    await screen.findByText('Changed underneath: 3 → 5');
    expect(field()).toHaveProperty('value', '12');
    await user.click(button('Scale to 12'));
    expect(api.writes()).toEqual([]);
    await user.click(button('Continue from 5'));
    await user.click(button('Scale to 12'));
    await waitFor(() => expect(api.writes()[0]?.body).toMatchObject({ from: 5, to: 12 }));
  });

  it('follows the pool while nothing was typed', () => {
    fakeApi();
    const { rerender } = renderInConsole(drawer(poolRow()));
    rerender(drawer(poolRow({ desired: 5 })));
    expect(field()).toHaveProperty('value', '5');
  });

  it('shows a refusal in the server’s words with the right that is missing, and loses nothing', async () => {
    const api = fakeApi();
    api.onPost = ({ body }) =>
      body.dryRun === true
        ? { body: receiptOf(body) }
        : {
            status: 403,
            body: {
              code: 'forbidden',
              status: 403,
              message: 'cannot patch resource "sandboxsets/scale"',
              missing: { verb: 'patch', group: 'agents.kruise.io', resource: 'sandboxsets/scale', namespace: 'lab' },
              applied: 'no',
              requestId: 'req-1',
            },
          };
    renderInConsole(drawer(poolRow()));
    const user = type('7');
    await waitFor(() => expect(button('Scale to 7').getAttribute('aria-disabled')).toBeNull());
    await user.click(button('Scale to 7'));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Not applied');
    expect(alert.textContent).toContain('cannot patch resource "sandboxsets/scale"');
    expect(alert.textContent).toContain('Needs patch on sandboxsets/scale in lab');
    expect(alert.textContent).toContain('req-1');
    expect(field()).toHaveProperty('value', '7');
  });

  it('does not claim that nothing happened when the answer was lost', async () => {
    const api = fakeApi();
    api.onPost = ({ body }) => {
      if (body.dryRun === true) return { body: receiptOf(body) };
      throw new TypeError('network error');
    };
    renderInConsole(drawer(poolRow()));
    const user = type('7');
    await waitFor(() => expect(button('Scale to 7').getAttribute('aria-disabled')).toBeNull());
    await user.click(button('Scale to 7'));
    expect((await screen.findByRole('alert')).textContent).toContain('It may have been applied');
    expect(api.writes()).toHaveLength(1);
  });

  it('knows that a dry run wrote nothing, also when its answer was lost', async () => {
    const api = fakeApi();
    api.onPost = () => {
      throw new TypeError('network error');
    };
    renderInConsole(drawer(poolRow()));
    type('7');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('network error');
    expect(alert.textContent).not.toContain('It may have been applied');
  });

  it('refreshes before it acts on old data', async () => {
    live.status = { state: 'reconnecting', ageMs: 16_000, dataFrom: 1 };
    const api = fakeApi();
    renderInConsole(drawer(poolRow()));
    const user = type('12');
    await user.click(button('Refresh and retry'));
    expect(live.refresh).toHaveBeenCalled();
    expect(api.sent).toEqual([]);
  });

  const cluster = (server: string) => ({
    kinds: [],
    cluster: { name: 'staging', server, embedded: false, missing: [] },
  });
  it.each([
    ['the cluster is another', 'https://b', {}],
    ['the object is another', 'https://a', { uid: 'u-2' }],
    ['the object has moved on', 'https://a', { gen: 2 }],
  ])('asks for a dry run again when %s, and does not show the answer from before', async (_why, server, over) => {
    live.status = { ...live.status, freshness: cluster('https://a') };
    const api = fakeApi();
    const { rerender } = renderInConsole(drawer(poolRow()));
    type('12');
    await screen.findByText(/Dry run accepted/);
    api.onPost = ({ body }) => ({ body: receiptOf(body, { resourceVersion: '99' }) });
    live.status = { ...live.status, freshness: cluster(server) };
    rerender(drawer(poolRow(over)));
    expect(screen.queryByText(/resourceVersion 88/)).toBeNull();
    await screen.findByText(/resourceVersion 99/);
    expect(api.sent).toHaveLength(2);
  });

  it('stays when the pool is deleted, says since when, keeps what was typed and sends nothing', async () => {
    const api = fakeApi();
    const { rerender } = renderInConsole(drawer(poolRow()));
    const user = type('0');
    await screen.findByText(/Dry run accepted/);
    await user.click(button('Scale to 0'));
    await screen.findByRole('dialog', { name: 'Scale web to 0' });
    const gone = Date.UTC(2026, 10, 30, 14, 2, 11);
    rerender(drawer(poolRow(), gone));
    expect(screen.getByText('Gone at 14:02:11 UTC')).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Scale web to 0' })).toBeNull();
    expect(screen.queryByText(/Dry run accepted/)).toBeNull();
    expect(field()).toHaveProperty('value', '0');
    await user.click(button('Scale to 0'));
    await user.type(field(), '{Enter}');
    expect(api.writes()).toEqual([]);
  });

  it('sends nothing for who may not scale', async () => {
    const api = fakeApi();
    api.access = 'denied';
    renderInConsole(drawer(poolRow()));
    const user = type('12');
    await waitFor(() => expect(button('Scale to 12').getAttribute('aria-busy')).toBeNull());
    await user.click(button('Scale to 12'));
    await user.keyboard('{Enter}');
    expect(api.sent).toEqual([]);
  });
});

// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { UpgradeGuard } from '@/lib/contracts/upgrade-writes';
import { setUpPage } from '../../testing/set-up-page';
import { openForm, ready, running } from '../page-testing';
import { fakeApi, history } from '../testing';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades/demo/november' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

const path = '/api/v1/upgrades/demo/november';

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
    const { dialog, user } = await openForm('guard');
    expect(await dialog.findByText(/^Not set/)).toBeTruthy();
    const why = dialog.getByText('Set a number of failures, a failure rate, or both.');
    expect(dialog.getByRole('button', { name: 'Set' }).getAttribute('aria-describedby')).toBe(why.id);
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
    const { dialog, user } = await openForm('guard', running({ paused: true }));
    expect(
      await dialog.findByText('Automatic pause at 09:00:00 UTC: the limit of 2 failures was reached'),
    ).toBeTruthy();
    expect(dialog.getByText(/Set by mara/)).toBeTruthy();
    await user.click(await ready(dialog, 'Take it away'));
    await waitFor(() => expect(api.sent[0]?.body).toEqual({ uid: 'uid-november', limits: null }));
  });

  it('that cannot pause is shown as such before it has to, on the page too', async () => {
    fakeApi({ [`${path}/history`]: history({ guard: guard({ unable: true }) }) });
    const { dialog } = await openForm('guard');
    const title = 'Automatic pause will not work: mara may not patch this operation';
    expect(await dialog.findByText(title)).toBeTruthy();
    expect(dialog.queryByText(/^Armed/)).toBeNull();
    expect(screen.getAllByText(title)).toHaveLength(2);
  });

  it('says why it could not pause, in the API server’s words', async () => {
    const problem = 'sandboxupdateops "november" is forbidden';
    fakeApi({ [`${path}/history`]: history({ guard: guard({ state: 'failed', firedAt: 1, problem }) }) });
    const { dialog } = await openForm('guard');
    expect(await dialog.findByText(problem)).toBeTruthy();
    expect(dialog.getByText(/It goes on trying/)).toBeTruthy();
  });
});

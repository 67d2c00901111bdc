// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ObjectReply } from '@/lib/contracts/objects';
import { evidence } from '@/lib/domain/text';
import { sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { StuckPage } from './stuck-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/stuck' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

const ago = (seconds: number) => ({ since: Date.now() - seconds * 1000, sinceFrom: 'condition' as const });
const resuming = { state: 'Resuming' as const, phase: 'Resuming' };
const spec = `registry.local/agents/agent-runtime:v0.3.0@sha256:${'9f'.repeat(32)}`;
const status = `sha256:${'5d'.repeat(32)}`;
const stuck = sandbox('s', {
  name: 'pinned',
  ...resuming,
  ...ago(848),
  pool: 'tools',
  claimed: true,
  shutdownAt: Date.now() + 252_500,
  cause: { code: 'InitImageMismatch', never: true },
});
const rows = [
  sandbox('a', { name: 'calm', ...ago(9000) }),
  sandbox('b', { name: 'new', ...resuming, ...ago(9) }),
  sandbox('c', {
    name: 'late',
    ...resuming,
    ...ago(48),
    cause: { code: 'ImagePull', detail: 'runtime: ErrImagePull' },
  }),
  sandbox('d', { name: 'seen', ...resuming, ...ago(500), sinceFrom: 'observed' }),
  stuck,
];
const pinned: ObjectReply = {
  time: Date.now(),
  object: { metadata: { uid: 's', name: 'pinned', namespace: 'demo' } },
  pod: {
    metadata: { uid: 'p', name: 'pinned' },
    spec: { initContainers: [{ name: 'runtime', image: spec }], containers: [] },
    status: { phase: 'Running', initContainerStatuses: [{ name: 'runtime', image: status }] },
  },
  events: [],
};
let pinnedNow = pinned;
const names = () =>
  within(screen.getByRole('grid'))
    .getAllByRole('row')
    .flatMap((row) =>
      within(row)
        .queryAllByRole('link')
        .map((link) => link.textContent),
    );

beforeAll(() => giveElementsSize());
beforeEach(() => {
  localStorage.clear();
  pinnedNow = pinned;
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/pinned')
      ? Response.json(pinnedNow)
      : Response.json({ code: 'not_found', status: 404, message: 'not found', requestId: 'r' }, { status: 404 }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('StuckPage', () => {
  it('lists what is past a line of its state, worst first, and names where each clock starts', async () => {
    await renderConsole(<StuckPage />, { rows: { sandboxes: rows } });
    expect(names()).toEqual(['pinned', 'seen', 'late']);
    const [, first, second] = screen.getAllByRole('row');
    expect(within(first ?? document.body).getByText('condition time')).toBeTruthy();
    expect(within(first ?? document.body).getByText('never converges')).toBeTruthy();
    expect(within(second ?? document.body).getByText('first seen here')).toBeTruthy();
    expect(within(second ?? document.body).getByText(/^≥/)).toBeTruthy();
    expect(screen.getByText('3 overdue')).toBeTruthy();
  });

  it('reads the worst one unasked: verdict, both images as the controller reads them, what happens next', async () => {
    await renderConsole(<StuckPage />, { rows: { sandboxes: rows } });
    const reading = screen.getByRole('complementary', { name: 'Why pinned is stuck' });
    expect(within(reading).getByRole('heading', { name: 'Never converges' })).toBeTruthy();
    const repository = await within(reading).findByRole('row', { name: /^Repository/ });
    expect(repository.className).toBe('ne');
    expect(repository.textContent).toContain('agents/agent-runtime');
    expect(repository.textContent).toContain('library/sha256');
    expect(within(reading).getByText('an image ID')).toBeTruthy();
    expect(within(reading).getByText(/^It is deleted in/)).toBeTruthy();
    expect(reading.textContent).toContain('kubectl -n demo edit sbx pinned');
  });

  it('lists the longest first of what is red at once', async () => {
    const failed = { state: 'Upgrading' as const, phase: 'Upgrading', stage: 'PreUpgradeFailed' };
    const red = [
      sandbox('f1', { name: 'a-short', ...failed, ...ago(57) }),
      sandbox('f2', { name: 'b-short', ...failed, ...ago(57) }),
      sandbox('f3', { name: 'c-long', ...failed, ...ago(434) }),
      sandbox('f4', { name: 'd-ended', state: 'Failed', phase: 'Failed', ...ago(900) }),
    ];
    await renderConsole(<StuckPage />, { rows: { sandboxes: red } });
    expect(names()).toEqual(['d-ended', 'c-long', 'a-short', 'b-short']);
  });

  it('says what it is sorted by', async () => {
    const user = userEvent.setup();
    await renderConsole(<StuckPage />, { rows: { sandboxes: rows } });
    expect(
      screen.getByText('3 of 3 · most overdue first, then nearest to it, equals longest first, the rest by name'),
    ).toBeTruthy();
    const head = screen.getByRole('columnheader', { name: /^Dwell/ });
    expect(head.textContent).toBe('Dwell · overdue');
    expect(head.getAttribute('aria-sort')).toBe('other');
    expect(head.title).toMatch(/^most overdue first/);
    await user.click(within(screen.getByRole('grid')).getByRole('button', { name: 'Sandbox' }));
    expect(await screen.findByText('3 of 3 · sorted by Sandbox')).toBeTruthy();
  });

  it('turns to what is past warn and to what is in progress', async () => {
    const user = userEvent.setup();
    await renderConsole(<StuckPage />, { rows: { sandboxes: rows } });
    await user.click(screen.getByRole('radio', { name: 'Past warn 1' }));
    expect(names()).toEqual(['late']);
    await waitFor(() => expect(screen.getByRole('complementary').textContent).toContain('runtime: ErrImagePull'));
    await user.click(screen.getByRole('radio', { name: 'In progress 1' }));
    expect(names()).toEqual(['new']);
    expect(screen.getByText('Within the limit of its state.')).toBeTruthy();
  });

  it('names the operation, the hook and whose the sandbox is where a hook failed', async () => {
    const owner = 'dac3e450-f3a9-4f04-ab18-4648eb5efa00';
    const labels = { 'agents.kruise.io/sandbox-claimed': 'true', report: 'nightly', team: 'insights', user: 'li.wei' };
    const lifecycle = { preUpgrade: { exec: { command: ['/bin/sh', '-c', 'save --all'] }, timeoutSeconds: 30 } };
    const { metadata } = pinned.object;
    pinnedNow = { ...pinned, object: { metadata: { ...metadata, labels }, spec: { lifecycle } } };
    const upgrading = { name: 'pinned', phase: 'Upgrading', state: 'Upgrading' as const, stage: 'PreUpgradeFailed' };
    const cause = { code: 'HookFailed' as const, detail: 'hook failed with exit code 3' };
    const row = sandbox('s', { ...upgrading, ...ago(60), cause, op: 'u-11', owner, claimName: 'nightly-report' });
    const op = { uid: 'o', ns: 'demo', name: 'u-11', phase: 'Failed', strategy: 'Recreate', selector: '' };
    await renderConsole(<StuckPage />, {
      rows: { sandboxes: [row], sandboxupdateops: [{ ...op, hasPatch: true, taken: true }] },
    });
    const reading = screen.getByRole('complementary', { name: 'Why pinned is stuck' });
    const link = within(reading).getByRole('link', { name: 'u-11' });
    expect(link.getAttribute('href')).toBe('/upgrades/demo/u-11');
    const hook = await within(reading).findByText('/bin/sh -c save --all');
    expect(hook.closest('div')?.textContent).toContain('preUpgrade');
    const whose = within(reading).getByRole('heading', { name: 'Whose' }).parentElement;
    const facts = [...(whose?.querySelectorAll('dl > div') ?? [])].map((fact) => fact.textContent);
    expect(facts).toEqual(['Claimnightly-report', `Owner${owner}`, 'userli.wei', 'teaminsights', 'reportnightly']);
  });

  it('shows evidence in full that the row had to cut', async () => {
    const whole = `hook failed: ${'x'.repeat(300)} exit status 2`;
    const upgrading = { name: 'pinned', phase: 'Upgrading', state: 'Upgrading' as const, stage: 'PreUpgradeFailed' };
    const condition = { type: 'Upgrading', status: 'False', reason: 'PreUpgradeFailed', message: whole };
    pinnedNow = { ...pinned, object: { ...pinned.object, status: { conditions: [condition] } } };
    const cause = { code: 'HookFailed' as const, detail: evidence(whole) ?? '' };
    await renderConsole(<StuckPage />, { rows: { sandboxes: [sandbox('s', { ...upgrading, ...ago(60), cause })] } });
    const reading = screen.getByRole('complementary', { name: 'Why pinned is stuck' });
    expect(await within(reading).findByText(whole)).toBeTruthy();
  });

  it('is calm when nothing is overdue, and does not say so before it knows', async () => {
    const { unmount } = await renderConsole(<StuckPage />);
    expect(screen.queryByText('Nothing overdue.')).toBeNull();
    unmount();
    await renderConsole(<StuckPage />, { rows: { sandboxes: rows.slice(0, 2) } });
    expect(screen.getByText('Nothing overdue.')).toBeTruthy();
  });
});

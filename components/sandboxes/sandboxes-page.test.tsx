// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { ObjectReply } from '@/lib/contracts/objects';
import { delta, sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { SandboxesPage } from './sandboxes-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/sandboxes' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

const ago = (seconds: number) => ({ since: Date.now() - seconds * 1000, sinceFrom: 'condition' as const });
const rows = [
  sandbox('a', { name: 'calm', ...ago(9000), pool: 'p1', node: 'n1' }),
  sandbox('b', { name: 'late', state: 'Resuming', phase: 'Resuming', gate: 'Scheduled', ...ago(48), pool: 'p1' }),
  sandbox('c', {
    name: 'red',
    state: 'Resuming',
    phase: 'Resuming',
    gate: 'InitImages',
    ...ago(848),
    pool: 'p2',
    owner: 'team-atlas',
  }),
];
const replyOf = (uid: string, name: string): ObjectReply => ({
  time: Date.now(),
  object: {
    metadata: { uid, name, namespace: 'demo' },
    status: { conditions: [{ type: 'SandboxResumed', status: 'False', reason: 'CreatePod' }] },
  },
  events: [
    {
      uid: 'e',
      at: Date.now() - 60_000,
      count: 1,
      type: 'Normal',
      reason: 'SandboxResuming',
      message: 'Resume sandbox',
    },
  ],
});
const names = () =>
  within(screen.getByRole('grid'))
    .getAllByRole('row')
    .flatMap((row) =>
      within(row)
        .queryAllByRole('link')
        .map((link) => link.textContent),
    );

setUpPage(async (url) => Response.json(replyOf(url.endsWith('red') ? 'c' : 'b', url.split('/').at(-1) ?? '')));

describe('SandboxesPage', () => {
  it('lists the most overdue first and says so', async () => {
    await renderConsole(<SandboxesPage />, { rows: { sandboxes: rows } });
    expect(names()).toEqual(['red', 'late', 'calm']);
    expect(
      screen.getByText(
        '3 of 3 · most overdue first, then nearest to it, equals longest first, the rest by name · order holds while you read',
      ),
    ).toBeTruthy();
    expect(screen.getByText('2 overdue')).toBeTruthy();
  });

  it('filters by a facet over all rows, counts what the others would show, and clears', async () => {
    const user = userEvent.setup();
    await renderConsole(<SandboxesPage />, { rows: { sandboxes: rows } });
    const facets = screen.getByRole('complementary', { name: 'Filters' });
    await user.click(within(facets).getByRole('button', { name: /^p2 1/ }));
    expect(names()).toEqual(['red']);
    expect(within(facets).getByRole('button', { name: /Past warn line/ }).textContent).toContain('0');
    await user.click(within(facets).getByRole('button', { name: /Past warn line/ }));
    expect(screen.getByText('0 of 3 match')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(names()).toHaveLength(3);
  });

  it('opens with the keyboard, moves on, and closes', async () => {
    const user = userEvent.setup();
    await renderConsole(<SandboxesPage />, { rows: { sandboxes: rows } });
    await user.keyboard('j');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('demo/red/c'));
    await user.keyboard('{Enter}');
    const peek = await screen.findByRole('complementary', { name: 'red' });
    await waitFor(() =>
      expect(within(peek).getByRole('row', { name: /SandboxResumed/ }).textContent).toContain('False · CreatePod'),
    );
    expect(within(peek).getByText(/No event since .* The gate emits none\./)).toBeTruthy();
    await user.click(within(peek).getByRole('button', { name: 'Next' }));
    const next = await screen.findByRole('complementary', { name: 'late' });
    // No node takes its pod, which the scheduler says in events.
    expect(await within(next).findByText('Resume sandbox')).toBeTruthy();
    expect(within(next).queryByText(/The gate emits none\./)).toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary', { name: 'late' })).toBeNull();
  });

  it('chooses with x, and offers names and kubectl of what was chosen', async () => {
    const user = userEvent.setup();
    const { unmount } = await renderConsole(<SandboxesPage />, { rows: { sandboxes: rows } });
    await user.keyboard('j');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('demo/red/c'));
    await user.keyboard('xjx');
    const bar = screen.getByRole('region', { name: 'Selection' });
    expect(within(bar).getByText('2 selected')).toBeTruthy();
    // Over the head row of the list: what stands around the list keeps its place.
    expect(bar.parentElement?.contains(screen.getByRole('grid'))).toBe(true);
    expect(bar.className).toBe('over-head');
    expect(screen.getByRole('button', { name: 'Name' }).tabIndex).toBe(-1);
    await user.click(within(bar).getByRole('button', { name: 'Copy kubectl' }));
    expect(await navigator.clipboard.readText()).toBe('kubectl -n demo get sbx red late');
    await user.click(within(bar).getByRole('button', { name: 'Clear selection' }));
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
    unmount();
  });

  it('keeps a sandbox on screen that is deleted while it is read, and does not exchange it for a namesake', async () => {
    const user = userEvent.setup();
    const { tab } = await renderConsole(<SandboxesPage />, { rows: { sandboxes: rows } });
    await user.keyboard('j');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('demo/red/c'));
    await user.keyboard('{Enter}');
    await screen.findByRole('complementary', { name: 'red' });
    act(() => tab.stream.send(delta(2, {}, { sandboxes: ['c'] })));
    const peek = screen.getByRole('complementary', { name: 'red' });
    expect(await within(peek).findByText(/^Gone at /)).toBeTruthy();
    expect(within(peek).getByText('team-atlas')).toBeTruthy();
    act(() => tab.stream.send(delta(3, { sandboxes: [sandbox('d', { name: 'red', owner: 'team-vega' })] })));
    const follow = await within(peek).findByRole('button', { name: 'Show the new one' });
    expect(within(peek).getByText('team-atlas')).toBeTruthy();
    await user.click(follow);
    const next = screen.getByRole('complementary', { name: 'red' });
    expect(within(next).getByText('team-vega')).toBeTruthy();
    expect(within(next).queryByText(/^Gone at /)).toBeNull();
  });
});

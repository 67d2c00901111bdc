// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { RecentAction } from '@/lib/contracts/writes';
import { button, drawer, type } from './writes/scale-testing';
import { fakeApi, poolRow, receiptOf, renderInConsole, setUpForms } from './writes/testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/pools' }));
vi.mock('@/lib/live', async () => (await import('./writes/testing')).liveMock());

setUpForms();

describe('whose change ScaleDrawer names', () => {
  const action = (over: Partial<RecentAction>): RecentAction => ({
    id: 'r-9',
    at: 1,
    actor: 'mara',
    action: 'scalePool',
    object: { kind: 'SandboxSet', namespace: 'lab', name: 'web' },
    summary: '3 → 12',
    result: 'accepted',
    ...over,
  });
  const scaled = poolRow({ desired: 12, scaledFrom: 3, scaledAt: 998_000 });

  it.each(['accepted', 'unknown', 'observed'] as const)(
    'calls a change of one’s own that, also when %s',
    async (result) => {
      fakeApi().actions = [action({ result })];
      renderInConsole(drawer(scaled));
      expect(await screen.findByText(/^Your change .* ago: 3 → 12\.$/)).toBeTruthy();
      expect(screen.queryByText(/Another writer/)).toBeNull();
    },
  );

  it('names who else changed it through this console', async () => {
    fakeApi().actions = [action({ actor: 'nils' })];
    renderInConsole(drawer(scaled));
    expect(await screen.findByText('3 → 12, by nils through this console.')).toBeTruthy();
  });

  it('says of a write whose answer was lost that it is applied, once the watch shows it', async () => {
    const api = fakeApi();
    api.onPost = ({ body }) => {
      if (body.dryRun === true) return { body: receiptOf(body) };
      throw new TypeError('network error');
    };
    const { rerender } = renderInConsole(drawer(poolRow()));
    const user = type('7');
    await screen.findByText(/Dry run accepted/);
    await user.click(button('Scale to 7'));
    await screen.findByText('It may have been applied');
    rerender(drawer(poolRow({ desired: 7 })));
    expect(screen.getByText('Applied, as seen in the cluster')).toBeTruthy();
    expect(screen.queryByText('It may have been applied')).toBeNull();
    expect(screen.queryByText(/Changed underneath/)).toBeNull();
    rerender(drawer(poolRow({ desired: 9 })));
    expect(screen.getByText('Applied, as seen in the cluster')).toBeTruthy();
  });
});

// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { readHandedOver } from '../upgrades/plan/handed-over';
import { SelectionBar } from './selection-bar';

const push = vi.hoisted(() => vi.fn());
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/sandboxes' }));

setUpPage();
beforeEach(() => {
  sessionStorage.clear();
  push.mockClear();
});

async function show(rows: SandboxRow[]) {
  await renderConsole(<SelectionBar rows={rows} onExport={() => undefined} onClear={() => undefined} />);
  return userEvent.setup({ delay: null });
}
const handedOver = () => readHandedOver(String(push.mock.calls[0]?.[0]).split('draft=')[1] ?? '');

describe('SelectionBar', () => {
  it('plans an upgrade of just the chosen sandboxes, by button and by key', async () => {
    const user = await show([sandbox('a'), sandbox('b')]);
    await user.click(screen.getByRole('button', { name: 'Upgrade 2…' }));
    const chosen = [
      { uid: 'a', name: 'name-a' },
      { uid: 'b', name: 'name-b' },
    ];
    expect(handedOver()).toEqual({
      namespace: 'demo',
      targets: { by: 'selection', sandboxes: chosen },
      states: ['Running'],
      paused: false,
    });
    push.mockClear();
    await user.keyboard('u');
    expect(push).toHaveBeenCalledOnce();
  });

  it('means the paused ones that were chosen', async () => {
    await (await show([sandbox('a', { phase: 'Paused' })])).keyboard('u');
    expect(handedOver()).toMatchObject({ states: ['Paused'] });
    cleanup();
    push.mockClear();
    await (await show([sandbox('a', { phase: 'Paused' }), sandbox('b')])).keyboard('u');
    expect(handedOver()).toMatchObject({ states: ['Running', 'Paused'] });
  });

  it('asks which namespace when they are of several', async () => {
    const user = await show([sandbox('a'), sandbox('b', { ns: 'other' }), sandbox('c')]);
    await user.keyboard('u');
    expect(push).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Upgrade 3…' }));
    await user.click(await screen.findByRole('menuitem', { name: 'other · 1' }));
    expect(handedOver()).toMatchObject({
      namespace: 'other',
      targets: { by: 'selection', sandboxes: [{ uid: 'b', name: 'name-b' }] },
    });
  });

  it('says why more than an operation can name are not taken over', async () => {
    const user = await show(Array.from({ length: 5_001 }, (_, i) => sandbox(`s${i}`)));
    await user.click(screen.getByRole('button', { name: 'Upgrade 5,001…' }));
    await user.keyboard('u');
    expect(push).not.toHaveBeenCalled();
  });
});

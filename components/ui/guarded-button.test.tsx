// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { Button } from './button';
import { type Guard, GuardedButton, roleFor } from './guarded-button';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));

const act = vi.fn();
const show = (guard: Guard) =>
  renderConsole(
    <GuardedButton guard={guard} onClick={act}>
      Scale
    </GuardedButton>,
  );
const right = { verb: 'patch', group: 'agents.kruise.io', resource: 'sandboxsets/scale', namespace: 'lab' };

const guards: Guard[] = [
  { state: 'allowed' },
  { state: 'unknown', reason: 'asking' },
  { state: 'stale', refresh: () => undefined },
  { state: 'denied', right },
  { state: 'wrong', reason: 'not now' },
];

function Changing() {
  const [at, setAt] = useState(0);
  return (
    <>
      <GuardedButton guard={guards[at % guards.length] ?? { state: 'allowed' }} onClick={act}>
        Scale
      </GuardedButton>
      <Button onClick={() => setAt(at + 1)}>Next</Button>
    </>
  );
}

beforeAll(() => giveElementsSize());
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

describe('GuardedButton', () => {
  it('acts when allowed', async () => {
    await show({ state: 'allowed' });
    await userEvent.click(screen.getByRole('button', { name: 'Scale' }));
    expect(act).toHaveBeenCalledOnce();
  });

  it.each<[string, Guard, RegExp]>([
    ['denied', { state: 'denied', right }, /Needs patch on sandboxsets\/scale in lab/],
    ['not known yet', { state: 'unknown' }, /Asking the API server/],
    ['not to be known', { state: 'unknown', reason: 'the API server did not answer' }, /the API server did not answer/],
    ['in the wrong state', { state: 'wrong', reason: 'Already resuming' }, /Already resuming/],
  ])('never acts when %s, stays focusable and says why', async (_, guard, reason) => {
    await show(guard);
    const user = userEvent.setup();
    await user.tab();
    const button = screen.getByRole('button', { name: 'Scale' });
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect((await screen.findByRole('tooltip')).textContent).toMatch(reason);
    await user.keyboard('{Enter}');
    expect(act).not.toHaveBeenCalled();
  });

  it('copies the missing Role when denied, and says so', async () => {
    await show({ state: 'denied', right });
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Scale' }));
    expect(await navigator.clipboard.readText()).toBe(roleFor(right));
    expect(screen.getByTestId('announcer').textContent).toContain('Role snippet copied');
    expect(roleFor(right)).toContain('resources: ["sandboxsets/scale"]');
  });

  it('refreshes instead of acting on what is too old', async () => {
    const refresh = vi.fn();
    await show({ state: 'stale', refresh });
    await userEvent.click(screen.getByRole('button', { name: 'Refresh and retry' }));
    expect(refresh).toHaveBeenCalledOnce();
    expect(act).not.toHaveBeenCalled();
  });

  it('stays the same element, with the focus, whatever becomes of the guard', async () => {
    await renderConsole(<Changing />);
    const button = screen.getByRole('button', { name: 'Scale' });
    button.focus();
    for (const name of ['Scale', 'Refresh and retry', 'Scale', 'Scale', 'Scale']) {
      fireEvent.click(screen.getByRole('button', { name: 'Next' }));
      expect(screen.getByRole('button', { name })).toBe(button);
      expect(document.activeElement).toBe(button);
    }
  });
});

// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { delta, pool, sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { Palette } from './palette';
import { useGlobalKeys } from './use-global-keys';

const router = { push: vi.fn(), refresh: vi.fn() };
vi.mock('next/navigation', () => ({ useRouter: () => router, usePathname: () => '/' }));

function Host() {
  const [open, setOpen] = useState(false);
  const [help, setHelp] = useState(false);
  useGlobalKeys({ onPalette: () => setOpen(true), onHelp: () => setHelp(true) });
  return (
    <>
      <input aria-label="note" />
      {help ? <p>help is open</p> : null}
      <Palette open={open} onOpenChange={setOpen} onHelp={() => setHelp(true)} />
    </>
  );
}

beforeAll(() => {
  giveElementsSize();
  Element.prototype.scrollIntoView ??= () => {};
});
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

it('finds a sandbox by its owner over all rows, goes there and remembers it', async () => {
  await renderConsole(<Host />, {
    rows: { sandboxes: [sandbox('a', { owner: 'team-atlas/run-7' }), ...[1, 2, 3].map((n) => sandbox(`b${n}`))] },
  });
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'atlas');
  const option = await screen.findByRole('option', { name: /name-a/ });
  expect(screen.queryByRole('option', { name: /name-b/ })).toBeNull();
  await user.click(option);
  expect(router.push).toHaveBeenCalledWith('/sandboxes/demo/name-a');
  await user.keyboard('{Meta>}k{/Meta}');
  expect(await screen.findByRole('option', { name: 'name-a' })).toBeTruthy();
});

it('finds a node and the forms of a pool, of which the pool is the place to remember', async () => {
  await renderConsole(<Host />, {
    rows: { nodes: [{ uid: 'n', name: 'worker-06' }], sandboxsets: [{ ...pool('t', 1), name: 'tools' }] },
  });
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  const ask = async (words: string, option: string) => {
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), words);
    await user.click(await screen.findByRole('option', { name: new RegExp(`^${option}`) }));
  };
  await ask('worker-06', 'worker-06');
  expect(router.push).toHaveBeenLastCalledWith('/sandboxes?node=worker-06');
  await ask('scale tools', 'Scale tools…');
  expect(router.push).toHaveBeenLastCalledWith('/pools/demo/tools?form=scale');
  await ask('tools', 'Change template of tools…');
  expect(router.push).toHaveBeenLastCalledWith('/pools/demo/tools?form=template');
  await ask('tools', 'Upgrade pool tools…');
  expect(router.push).toHaveBeenLastCalledWith('/upgrades/new?pool=demo%2Ftools');
  await user.keyboard('{Control>}k{/Control}');
  const recent = within(await screen.findByRole('group', { name: 'Recent' })).getAllByRole('option');
  expect(recent.map(({ textContent }) => textContent)).toEqual(['tools', 'worker-06']);
});

it('leads to the form of a new task', async () => {
  await renderConsole(<Host />, { rows: {} });
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'new task');
  await user.click(await screen.findByRole('option', { name: 'New task' }));
  expect(router.push).toHaveBeenLastCalledWith('/tasks');
});

it('changes the language by command and says when nothing matches', async () => {
  await renderConsole(<Host />, { rows: {} });
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'zzz');
  expect(await screen.findByText('Nothing matches')).toBeTruthy();
  await user.clear(screen.getByRole('combobox'));
  await user.type(screen.getByRole('combobox'), '简体');
  await user.click(await screen.findByRole('option', { name: /简体中文/ }));
  expect(document.cookie).toContain('locale=zh-CN');
  expect(router.refresh).toHaveBeenCalled();
});

it('has the first hit chosen after each change of the words and of the hits, so that Enter opens it', async () => {
  const { tab } = await renderConsole(<Host />, { rows: { sandboxes: ['a', 'b', 'c'].map((uid) => sandbox(uid)) } });
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  await user.keyboard('{Control>}k{/Control}');
  const input = await screen.findByRole('combobox');
  const chosen = () => screen.getAllByRole('option').map((option) => option.getAttribute('aria-selected'));
  for (const words of ['tas', 'name', 'up', 'name-']) {
    await user.clear(input);
    await user.type(input, words);
    await waitFor(() => expect(chosen()).toEqual(chosen().map((_, at) => String(at === 0))));
  }
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(3));
  expect(input.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: /name-a/ }).id);
  act(() => tab.stream.send(delta(2, {}, { sandboxes: ['a', 'b'] })));
  await waitFor(() => expect(chosen()).toEqual(['true']));
  await user.keyboard('{Enter}');
  expect(router.push).toHaveBeenCalledWith('/sandboxes/demo/name-c');
});

it('goes with g and a letter, but not while typing, and helps with ?', async () => {
  await renderConsole(<Host />, { rows: {} });
  const user = userEvent.setup();
  await user.type(screen.getByRole('textbox', { name: 'note' }), 'gs?');
  expect(router.push).not.toHaveBeenCalled();
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('gk');
  expect(router.push).toHaveBeenLastCalledWith('/stuck');
  await user.keyboard('g{Escape}s');
  expect(router.push).toHaveBeenCalledTimes(1);
  await user.keyboard('?');
  await waitFor(() => expect(screen.getByText('help is open')).toBeTruthy());
});

// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi, now, press, show } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));
vi.mock('@/lib/live', () => ({ useNow: () => 0, useLiveStatus: () => ({}) }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('asks what a fault takes, names what is wrong at its field, and says what it was started with', async () => {
  const api = fakeApi();
  const { user } = show();
  await user.click(await press('Break something…'));
  const disclose = await press('Parameters of: The API server is slow');
  expect(disclose.getAttribute('aria-expanded')).toBe('false');
  disclose.focus();
  await user.keyboard('{Enter}');
  expect(disclose.getAttribute('aria-expanded')).toBe('true');
  const delay = screen.getByRole<HTMLInputElement>('textbox', { name: 'Delay (ms)' });
  expect(delay.value).toBe('2000');
  const says = (field: HTMLElement) =>
    field
      .getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent);
  expect(says(delay)).toEqual(['1 to 60000']);
  const cases: [typed: string, said: string][] = [
    ['1e3', 'Write a number, such as 20 or 0.5.'],
    ['1.5', 'Write a whole number.'],
    ['60001', 'Between 1 and 60000.'],
  ];
  for (const [typed, said] of cases) {
    await user.clear(delay);
    await user.type(delay, typed);
    expect(says(delay)?.[0]).toBe(said);
  }
  await user.click(await press('Start: The API server is slow'));
  expect(document.activeElement).toBe(delay);
  for (const method of ['GET', 'POST']) await user.click(screen.getByRole('checkbox', { name: method }));
  expect(screen.getByRole('group', { name: 'Methods' }).textContent).toContain('Choose at least 1.');
  await user.click(screen.getByRole('checkbox', { name: 'GET' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status code' }), '503');
  await user.selectOptions(screen.getByRole('combobox', { name: 'For every watch' }), 'yes');
  expect(says(screen.getByRole('combobox', { name: 'later' }))).toEqual(['of a newer cluster']);
  await user.clear(screen.getByRole('textbox', { name: /Share/ }));
  await user.clear(delay);
  await user.type(delay, '50');
  await user.click(await press('Start: The API server is slow'));
  expect(await now().findByText(/Delay \(ms\): 50/)).toBeTruthy();
  expect(now().getByText(/Methods: GET/).textContent).toMatch(/Status code: 503.*For every watch: yes/);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('End: The API server is slow');
  expect(api.posts).toEqual([
    {
      ...{ do: 'startFault', name: 'api-slow', seconds: 300 },
      params: { ms: 50, status: 503, methods: ['GET'], always: true },
    },
  ]);
});

it('shows at a field what the cluster refuses of it, until something else is typed', async () => {
  const api = fakeApi();
  api.refuse = true;
  const { user } = show();
  await user.click(await press('Break something…'));
  await user.click(await press(/^Parameters of/));
  await user.click(await press(/^Start: The API/));
  expect(await screen.findByText('not today')).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Delay (ms)' }), '1');
  expect(screen.queryByText('not today')).toBeNull();
});

// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi, now, press, quiet, show } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));
vi.mock('@/lib/live', () => ({ useNow: () => 0, useLiveStatus: () => ({}) }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('starts and ends a scenario and a fault by keyboard, and says what runs, in the drawer and in the ribbon', async () => {
  const api = fakeApi();
  const { user } = show();
  (await press('Break something…')).focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Nothing is broken.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  (await press('Start: A quota stops the Pods of a pool')).focus();
  await user.keyboard('{Enter}');
  const started = await screen.findAllByRole('button', { name: 'End: A quota stops the Pods of a pool' });
  expect(started).toContain(document.activeElement);
  await user.click(screen.getByRole('radio', { name: '1 min' }));
  await user.click(await press('Start: The API server is slow'));
  await waitFor(() => expect(now().getByText(/The API server is slow/)).toBeTruthy());
  expect(now().getByText(/ends/).textContent).toMatch(/since.*00:00:20.*ends.*00:01:20/);
  expect(screen.getByText('1 fault active')).toBeTruthy();
  expect(screen.getByText('1 scenario running')).toBeTruthy();
  await user.click(now().getByRole('button', { name: 'End: The API server is slow' }));
  await waitFor(() => expect(screen.queryByText('1 fault active')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Running now' }));
  expect(api.posts).toEqual([
    { do: 'startScenario', name: 'pool-quota' },
    { do: 'startFault', name: 'api-slow', seconds: 60 },
    { do: 'endFault', id: 'f1' },
  ]);
});

it('ends all at once', async () => {
  const api = fakeApi();
  const { user } = show();
  await user.click(await press('Break something…'));
  await user.click(await press(/^Start: A quota/));
  await user.click(screen.getByRole('radio', { name: 'never' }));
  await user.click(await press(/^Start: The API/));
  expect(await screen.findByText(/until it is ended/)).toBeTruthy();
  await user.click(await press('End all'));
  expect(await screen.findByText('Nothing is broken.')).toBeTruthy();
  expect(api.posts.slice(1)).toEqual([{ do: 'startFault', name: 'api-slow' }, { do: 'endAll' }]);
});

it('searches titles and texts, in groups; nothing found is not nothing there', async () => {
  fakeApi();
  const { user } = show();
  await user.click(await press('Break something…'));
  await screen.findByRole('heading', { name: 'A newer group' });
  await user.type(screen.getByRole('searchbox'), 'pending quota');
  expect(screen.queryByRole('heading', { name: 'The API server' })).toBeNull();
  expect(screen.getByRole('heading', { name: 'Pools run dry' })).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), ' zzz');
  expect(screen.getByText('Nothing matches “pending quota zzz”')).toBeTruthy();
  await user.click(await press('Clear the search'));
  expect(await press('Start: Something newer')).toBeTruthy();
});

it('speaks Chinese where it knows the words, and passes on what it does not', async () => {
  fakeApi();
  const { user } = show('zh-CN');
  await user.click(await press('制造故障…'));
  expect(await press('开始：配额挡住了池的 Pod')).toBeTruthy();
  expect(await press('开始：Something newer')).toBeTruthy();
  expect(screen.getByRole('heading', { name: '池枯竭' })).toBeTruthy();
});

it('says why something was refused', async () => {
  const api = fakeApi();
  api.refuse = true;
  const { user } = show();
  await user.click(await press('Break something…'));
  await user.click(await press(/^Start: The API/));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The embedded cluster refused: busy');
  // It is said where the person looks: at what was pressed.
  expect(alert.closest('li')?.textContent).toContain('The API server is slow');
});

it('fails with a way to try again, and keeps what it knows when the door goes away', async () => {
  const api = fakeApi({ status: 503 });
  const { user, queries } = show();
  await user.click(await press('Break something…'));
  const again = await press('Retry now');
  expect(screen.getByText(/control door does not answer: busy/)).toBeTruthy();
  api.state = quiet();
  await user.click(again);
  expect(await press(/^Start: A quota/)).toBeTruthy();
  api.state = { status: 503 };
  await queries.refetchQueries();
  expect(await screen.findByText('The control door does not answer')).toBeTruthy();
  expect(await press(/^Start: A quota/)).toBeTruthy();
});

it.each([{ status: 404 }, { scenarios: [], faults: [], active: [] }])(
  'is not there where the cluster has no control door',
  async (answer) => {
    fakeApi(answer);
    show();
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  },
);

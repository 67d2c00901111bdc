// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Freshness } from '@/lib/contracts/stream';
import { createFormats } from '@/lib/i18n';
import { freshness, heartbeat } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { FreshnessChip, StaleBanner } from './freshness';
import { useListState } from './list-states';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));
beforeAll(() => giveElementsSize());
afterEach(cleanup);

const chip = () => screen.getByRole('button', { name: /^Freshness/ });
const said = () => screen.getByTestId('announcer').textContent;

it('tells live from reconnecting with the time of the data, and reads only changes aloud', async () => {
  const { tab } = await renderConsole(
    <>
      <FreshnessChip />
      <StaleBanner />
    </>,
    { rows: {} },
  );
  await waitFor(() => expect(chip().textContent).toMatch(/^Live · /));
  expect(said()).toMatch(/^Live · /);
  const from = Date.now() - 38_000;
  const text = `Reconnecting, data from ${createFormats('en', 'UTC').time(from)}`;
  act(() => tab.stream.send(heartbeat(2, freshness('degraded', from))));
  await waitFor(() => expect(chip().textContent).toBe(text));
  expect(chip().dataset.tone).toBe('attention');
  expect(said()).toBe(text);
  const banner =
    /^The API server does not answer; reconnecting\. Data from .* UTC, .* old\. Actions need a refresh first\.$/;
  expect(screen.getByText(banner)).toBeTruthy();
  const lists = tab.lists.length;
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
  expect(tab.lists).toHaveLength(lists + 1);
  act(() => tab.stream.fail());
  await screen.findByText(/^The console does not answer; reconnecting\./);
});

function State() {
  return <p>{useListState('sandboxsets')}</p>;
}

it('calls nothing empty while the cluster cannot be asked', async () => {
  const { tab } = await renderConsole(<State />, { rows: {} });
  await screen.findByText('ready');
  act(() => tab.stream.send(heartbeat(2, freshness('degraded', Date.now()))));
  await screen.findByText('loading');
  act(() => tab.stream.send(heartbeat(3)));
  await screen.findByText('ready');
});

it('pauses on request and resumes', async () => {
  await renderConsole(<FreshnessChip />, { rows: {} });
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  await user.click(chip());
  await user.click(await screen.findByRole('menuitem', { name: 'Pause updates' }));
  await waitFor(() => expect(chip().textContent).toBe('Paused by you'));
  await user.click(chip());
  await user.click(await screen.findByRole('menuitem', { name: 'Resume updates' }));
  await waitFor(() => expect(chip().textContent).not.toBe('Paused by you'));
});

it('says when the cluster’s clock is not the console’s', async () => {
  const { tab } = await renderConsole(<FreshnessChip />, { rows: {} });
  const known: Freshness = freshness('live');
  act(() => tab.stream.send(heartbeat(2, { ...known, cluster: { ...known.cluster, clockAheadMs: -90_000 } })));
  await userEvent.setup({ pointerEventsCheck: 0 }).click(chip());
  expect(await screen.findByText(/^The cluster’s clock is 1 m behind the console’s\./)).toBeTruthy();
});

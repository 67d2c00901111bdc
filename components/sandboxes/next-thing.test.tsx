// @vitest-environment jsdom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { timeLeft } from './countdown';
import { NextThingText } from './next-thing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: vi.fn() }) }));
afterEach(cleanup);

const minute = 60_000;
const year = 365.25 * 24 * 60 * minute;

async function shown(more: Partial<SandboxRow>) {
  const row = sandbox('a', more);
  const { container } = await renderConsole(<NextThingText row={row} />, { rows: { sandboxes: [row] } });
  return container.textContent;
}

it('says what happens next', async () => {
  expect(await shown({ pauseAt: Date.now() + 12.5 * minute })).toBe('pauses in 12m');
  expect(await shown({ state: 'Paused', paused: true, shutdownAt: Date.now() + 76.05 * 60 * minute })).toBe(
    'kept paused for 3d\u00a004h',
  );
});

it('never counts below zero', async () => {
  expect(await shown({ shutdownAt: Date.now() - 2 * minute })).toBe('Expired, waiting for removal');
  expect(await shown({ pauseAt: Date.now() - minute })).toBe('Pause due');
});

it('takes a hundred years for no limit', async () => {
  expect(await shown({ state: 'Paused', paused: true, shutdownAt: Date.now() + 100 * year })).toBe('–');
});

it('writes minutes alone, and two units from an hour on', () => {
  expect([timeLeft(45_000), timeLeft(252_000), timeLeft(4_320_000), timeLeft(30 * 24 * 60 * minute)]).toEqual([
    '45\u00a0s',
    '4m',
    '1h\u00a012m',
    '30d\u00a000h',
  ]);
});

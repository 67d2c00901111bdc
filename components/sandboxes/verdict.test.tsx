// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { Verdict } from './verdict';

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: vi.fn() }) }));
afterEach(cleanup);

it('says of what has expired and is still there that this is what is wrong', async () => {
  const row = sandbox('a', { shutdownAt: Date.now() - 600_000 });
  await renderConsole(<Verdict row={row} />, { rows: { sandboxes: [row] } });
  expect(screen.getByRole('heading').textContent).toBe('Past its shutdownTime');
  expect(screen.getByText('Its shutdownTime has passed and it is still there.')).toBeTruthy();
});

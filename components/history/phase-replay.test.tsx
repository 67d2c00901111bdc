// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { PhaseHistoryReply } from '@/lib/contracts/objects';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { PhaseReplay } from './phase-replay';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/pools/demo/tools' }));

const start = Date.parse('2026-11-30T02:00:00Z');
const sample = (minute: number, resuming: number, overdue: number) => ({
  at: start + minute * 60_000,
  counts: { Available: 4, Resuming: resuming },
  overdue: { Resuming: overdue },
});
const reply: PhaseHistoryReply = {
  time: start + 3_600_000,
  store: { state: 'ok' },
  since: start,
  stepSeconds: 60,
  gaps: [
    { from: start + 5 * 60_000, to: start + 7 * 60_000 },
    { from: start + 10 * 60_000, to: start + 11 * 60_000 },
    { from: start + 40 * 60_000, to: start + 41 * 60_000 },
  ],
  samples: [sample(0, 0, 0), sample(1, 3, 0), sample(30, 36, 36)],
};
let asked: string[] = [];

setUpPage(async (url) => {
  asked.push(url);
  return Response.json(reply);
});

const counts = () => screen.getByText('Resuming').textContent;

describe('PhaseReplay', () => {
  it('shows the newest moment, and any other that the slider is moved to, in words', async () => {
    asked = [];
    await renderConsole(<PhaseReplay ns="demo" pool="tools" />);
    const moment = await screen.findByRole('slider', { name: 'Moment to look at' });
    expect(asked).toContain('/api/v1/history/phases?minutes=60&pool=demo%2Ftools');
    expect(counts()).toBe('Resuming 36');
    expect(screen.getByText('36 overdue')).toBeTruthy();
    fireEvent.change(moment, { target: { value: String(start + 60_000) } });
    expect(counts()).toBe('Resuming 3');
    expect(moment.getAttribute('aria-valuetext')).toBe('2026-11-30 02:01:00 UTC');
    expect(screen.getByText('0 overdue')).toBeTruthy();
    fireEvent.change(moment, { target: { value: String(start + 6 * 60_000) } });
    expect(counts()).toBe('Resuming –');
    expect(screen.getByText('not watched')).toBeTruthy();
    expect(
      screen.getByText(
        /did not watch in 2 stretches: 2026-11-30 02:05:00 UTC – 02:07:00 UTC.* 2026-11-30 02:10:00 UTC – 02:11:00 UTC$/,
      ),
    ).toBeTruthy();
  });

  it('says the same in a table, newest first, and looks further back when asked to', async () => {
    const user = userEvent.setup();
    await renderConsole(<PhaseReplay ns="demo" pool="tools" />);
    await user.click(await screen.findByRole('radio', { name: 'Table' }));
    const rows = within(screen.getByRole('region')).getAllByRole('row');
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent).join(' '))).toEqual([
      'Time Available Resuming Overdue',
      '2026-11-30 02:30:00 UTC 4 36 36',
      '2026-11-30 02:10:00 UTC – 02:11:00 UTC not watched',
      '2026-11-30 02:05:00 UTC – 02:07:00 UTC not watched',
      '2026-11-30 02:01:00 UTC 4 3 0',
      '2026-11-30 02:00:00 UTC 4 0 0',
    ]);
    await user.click(screen.getByRole('radio', { name: '24 h' }));
    expect(asked).toContain('/api/v1/history/phases?minutes=1440&pool=demo%2Ftools');
  });
});

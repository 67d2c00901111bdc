// @vitest-environment jsdom
import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { Dwell } from './rail';
import { SandboxState } from './state-badge';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));
// Both clocks stand still on a whole second: what is shown must not depend on how fast this machine is.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: new Date('2026-11-03T08:00:00Z') });
});
afterAll(() => {
  vi.useRealTimers();
});
afterEach(cleanup);

const ago = (seconds: number) => Date.now() - seconds * 1000;
async function dwell(more: Partial<SandboxRow>) {
  const row: SandboxRow = { ...sandbox('a'), state: 'Resuming', sinceFrom: 'condition', ...more };
  const { container } = await renderConsole(<Dwell row={row} />, { rows: {} });
  const meter = container.querySelector<HTMLElement>('.dw');
  return {
    text: meter?.querySelector('b')?.textContent?.replace(/\u00a0/g, ' '),
    tone: meter?.dataset.tone,
    title: meter?.title ?? '',
    rail: meter?.querySelector('.rail'),
    passed: meter?.querySelectorAll('u.past').length,
  };
}

describe('Dwell', () => {
  it('is quiet in time, amber past the warn line, red past the breach line', async () => {
    expect(await dwell({ since: ago(15) })).toMatchObject({ tone: undefined, passed: 0 });
    cleanup();
    expect(await dwell({ since: ago(61) })).toMatchObject({ tone: 'attention', passed: 1 });
    cleanup();
    expect(await dwell({ since: ago(180.5) })).toMatchObject({ text: '3m 00s', tone: 'breach', passed: 2 });
  });

  it('says at least when the start was only observed, and names where it comes from', async () => {
    const { text, title, rail } = await dwell({ since: ago(48.5), sinceFrom: 'observed' });
    expect(text).toBe('≥ 48 s');
    expect(rail?.classList.contains('torn')).toBe(true);
    expect(title).toMatch(/at least this long/);
  });

  it('draws an unknown start as unknown: no number, no fill', async () => {
    const { text, rail, title } = await dwell({ sinceFrom: 'unknown' });
    expect(text).toBe('–');
    expect(rail?.classList.contains('lost')).toBe(true);
    expect(rail?.querySelector('i')).toBeNull();
    expect(title).toContain('Start unknown');
  });

  it('has no rail where nothing limits the state', async () => {
    const { rail, tone } = await dwell({ state: 'Paused', since: ago(90_000) });
    expect(rail).toBeNull();
    expect(tone).toBeUndefined();
  });
});

describe('SandboxState', () => {
  it('shows a phase it does not know as the cluster wrote it, in no healthy tone', async () => {
    const row = sandbox('a', { state: 'Other', phase: 'Rolling\u202eBack' }) as SandboxRow;
    const { container } = await renderConsole(<SandboxState row={row} />, { rows: {} });
    expect(container.textContent).toContain('Rolling⟨U+202E⟩Back');
    expect(container.querySelector('.i')?.getAttribute('data-tone')).toBe('unknown');
  });
});

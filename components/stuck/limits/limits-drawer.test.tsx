// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LimitSettings, SetLimitsRequest } from '@/lib/contracts/triage';
import { noSettings } from '@/lib/domain/limits';
import { heartbeat, pool, sandbox } from '@/lib/live/testing';
import { SandboxState } from '../../common';
import { giveElementsSize, renderConsole } from '../../testing/render-console';
import { LimitsButton } from './limits-button';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/stuck' }));

const minute = 60_000;
let settings: LimitSettings;
let puts: SetLimitsRequest[];
let onPut: (request: SetLimitsRequest) => Response;
const answer = (now: LimitSettings) => Response.json({ time: Date.now(), store: { state: 'ok' }, settings: now });

beforeAll(() => giveElementsSize());
beforeEach(() => {
  settings = {
    version: 3,
    states: {},
    pools: { 'demo/api': { Resuming: { warn: 5_000, breach: 9_000 } } },
    by: 'li',
    at: 0,
  };
  puts = [];
  onPut = (request) => answer({ ...request, version: request.version + 1 });
  vi.stubGlobal('fetch', async (_: string, init: RequestInit = {}) => {
    if (init.method !== 'PUT') return answer(settings);
    puts.push(JSON.parse(String(init.body)));
    return onPut(puts.at(-1) as SetLimitsRequest);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open() {
  const user = userEvent.setup();
  await renderConsole(<LimitsButton />, { rows: { sandboxsets: [pool('web', 1)] } });
  await user.click(screen.getByRole('button', { name: 'Limits…' }));
  const dialog = await screen.findByRole('dialog');
  const field = (name: string) => within(dialog).findByRole<HTMLInputElement>('textbox', { name });
  const save = () => user.click(within(dialog).getByRole('button', { name: 'Save limits' }));
  return { user, dialog, field, save };
}

describe('limits', () => {
  it('shows the defaults and saves what was typed, for all pools and for one', async () => {
    const { user, dialog, field, save } = await open();
    expect((await field('Resuming: Amber after')).placeholder).toBe('30s');
    expect((await field('Resuming: Red after')).placeholder).toBe('2m');
    await save();
    expect(puts).toEqual([]);
    await user.type(await field('Resuming: Red after'), '5m');
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'For' }), 'demo/name-web');
    expect((await field('Resuming: Red after')).placeholder).toBe('5m');
    await user.type(await field('Pausing: Amber after'), '90s');
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(puts).toEqual([
      {
        version: 3,
        states: { Resuming: { warn: 30_000, breach: 5 * minute } },
        pools: { ...settings.pools, 'demo/name-web': { Pausing: { warn: 90_000, breach: 5 * minute } } },
      },
    ]);
  });

  it('says what is wrong where it is, and sends nothing', async () => {
    const { user, dialog, field, save } = await open();
    await user.type(await field('Resuming: Amber after'), '3m');
    const wrong = await field('Resuming: Amber after');
    expect(wrong.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(wrong.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Red has to come after amber.',
    );
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'For' }), 'demo/name-web');
    expect(within(dialog).getByText('Something is not right for All pools.')).toBeTruthy();
    await save();
    expect(puts).toEqual([]);
  });

  it('keeps what was typed when somebody was faster, and puts it over theirs when asked again', async () => {
    const { user, dialog, field, save } = await open();
    await user.type(await field('Resuming: Red after'), '5m');
    const theirs = { ...settings, version: 4, by: 'M. Kaya', states: { Pausing: { warn: 1_000, breach: 2_000 } } };
    onPut = (request) => {
      settings = theirs;
      return request.version === 4
        ? answer(theirs)
        : Response.json(
            {
              code: 'conflict',
              status: 409,
              message: '',
              reason: 'limitsChanged',
              values: { by: 'M. Kaya', at: '2026-11-30T03:05:00.000Z' },
              requestId: 'r',
            },
            { status: 409 },
          );
    };
    await save();
    expect((await within(dialog).findByRole('alert')).textContent).toContain('M. Kaya has changed the limits');
    await waitFor(async () => expect((await field('Pausing: Red after')).value).toBe('2s'));
    expect((await field('Resuming: Red after')).value).toBe('5m');
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(puts.at(-1)).toMatchObject({
      version: 4,
      states: { ...theirs.states, Resuming: { warn: 30_000, breach: 5 * minute } },
    });
  });

  it('goes back to the default', async () => {
    const { user, dialog, field, save } = await open();
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'For' }), 'demo/api · has limits of its own');
    expect((await field('Resuming: Amber after')).value).toBe('5s');
    await user.click(within(dialog).getByRole('button', { name: 'Resuming: back to the default' }));
    await save();
    await waitFor(() => expect(puts).toEqual([{ version: 3, states: {}, pools: {} }]));
  });
});

it('an open page judges by new limits as soon as it is told of them', async () => {
  const row = sandbox('s', { state: 'Resuming', since: Date.now() - 10_000, sinceFrom: 'condition', pool: 'web' });
  const { tab, container } = await renderConsole(<SandboxState row={row} />, { rows: { sandboxes: [row] } });
  const tone = () => container.querySelector('.st')?.getAttribute('data-tone');
  expect(tone()).toBeNull();
  const pools = { 'demo/web': { Resuming: { warn: 1_000, breach: 2_000 } } };
  act(() => tab.stream.send(heartbeat(1, undefined, { ...noSettings, version: 1, pools })));
  await waitFor(() => expect(tone()).toBe('breach'));
  act(() => tab.stream.send(heartbeat(1, undefined, { ...noSettings, version: 2 })));
  await waitFor(() => expect(tone()).toBeNull());
});

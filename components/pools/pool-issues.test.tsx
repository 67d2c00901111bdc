// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { PoolRow } from '@/lib/contracts/rows';
import { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { PoolPage } from './pool-page';
import { PoolsPage } from './pools-page';
import { pool } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/pools' }));

vi.mock('@/components/shell', async (original) => ({
  ...(await original<typeof import('@/components/shell')>()),
  useScope: () => ({ namespaces: [] }),
}));

setUpPage();

const member = (name: string) => sandbox(name, { name, state: 'Available', pool: 'tools', idle: true, hash: 'r1' });
const openPool = (over: Partial<PoolRow>, search = '', members = 5) =>
  renderConsole(<PoolPage ns="demo" name="tools" />, {
    rows: {
      sandboxsets: [pool({ name: 'tools', ...over })],
      sandboxes: Array.from({ length: members }, (_, index) => member(`tools-${index}`)),
    },
    search,
  });

describe('the page of a pool', () => {
  it('says since when the newest spec is not looked at, and concludes nothing about a rollout from the old one', async () => {
    await openPool({ gen: 2, obs: 1, lagSince: Date.now() - 1_020_000 }, '?tab=rollout');
    expect(await screen.findByText(/^not seen by the controller for 17\sm$/)).toBeTruthy();
    expect(
      screen.getByText('The controller has seen generation 1 of 2: whether anything is old is not known yet.'),
    ).toBeTruthy();
    expect(screen.queryByText(/^Nothing old is left|^Every idle member/)).toBeNull();
  });

  it('says in the words of the controller that no member is made any more', async () => {
    await openPool({ scalingLimited: '3 of 3 startup slots are blocked: Timeout=1, Failed=2' });
    expect(await screen.findByText('no more members are made')).toBeTruthy();
    expect(screen.getByText(/3 of 3 startup slots are blocked: Timeout=1, Failed=2/)).toBeTruthy();
  });

  it('asks for the template of an old revision as for one that need not be there any more', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      const of = { metadata: { uid: 'uid-tools', name: 'tools', namespace: 'demo' }, spec: { template: {} } };
      return Response.json(url.includes('sandboxtemplates') ? null : { time: 1, object: of, events: [] });
    });
    await openPool({ revision: 'r2' }, '?tab=rollout');
    await waitFor(() => expect(asked).toContain('/api/v1/objects/sandboxtemplates/demo/tools-r1?ifAny=true'));
    expect(screen.queryByText(/^Template, r1/)).toBeNull();
  });

  it('counts what is over target', async () => {
    await openPool({}, '', 6);
    expect(await screen.findByText('1 over target')).toBeTruthy();
  });
});

describe('a pool that is made from a SandboxTemplate', () => {
  const cellOf = async (over: Partial<PoolRow>) => {
    const row = pool({ name: 'tools', desired: 0, images: [], templateRef: 'reef-v2', ...over });
    await renderConsole(<PoolsPage />, { rows: { sandboxsets: [row] } });
    return within(screen.getByRole('link', { name: 'tools' }).closest('tr') ?? document.body);
  };

  it('says so in place of an image', async () => {
    const cell = (await cellOf({})).getByText('from template reef-v2');
    expect(cell.closest('[title]')?.getAttribute('title')).toBe('from template reef-v2');
  });

  it('says that there is none of that name', async () => {
    expect((await cellOf({ templateMissing: true })).getByText('template reef-v2 does not exist')).toBeTruthy();
  });
});

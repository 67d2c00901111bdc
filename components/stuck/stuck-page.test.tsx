// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DurationsReply, SandboxHistoryReply } from '@/lib/contracts/history';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Mark, SetMarkRequest } from '@/lib/contracts/triage';
import { delta, type FakeTab, heartbeat, reply, sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { StuckPage } from './stuck-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/stuck' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

const hex = '9f'.repeat(32);
const spec = `registry.local/agents/agent-runtime:v0.3.0@sha256:${hex}`;
const status = `sha256:${'5d'.repeat(32)}`;
const ago = (seconds: number) => ({ since: Date.now() - seconds * 1000, sinceFrom: 'condition' as const });
const resuming = { state: 'Resuming' as const, phase: 'Resuming' };
const digest = {
  code: 'InitImageMismatch' as const,
  never: true as const,
  image: 'registry.local/agents/agent-runtime',
};
const hung = (uid: string, fields: Partial<SandboxRow> = {}) =>
  sandbox(uid, {
    name: `pinned-${uid}`,
    ...resuming,
    ...ago(848),
    pool: 'tools',
    node: 'node-12',
    claimed: true,
    cause: digest,
    ...fields,
  });
/** Made for each test: what is in time would be late by the end of them all. */
const rowsNow = (): SandboxRow[] => [
  sandbox('calm', { name: 'calm', ...ago(9000) }),
  sandbox('new', { name: 'new', ...resuming, ...ago(1) }),
  sandbox('late', {
    name: 'late',
    ...resuming,
    ...ago(48),
    cause: { code: 'ImagePull', detail: 'runtime: ErrImagePull' },
  }),
  hung('a', { shutdownAt: Date.now() + 252_500 }),
  hung('b', { ...ago(600), sinceFrom: 'observed' }),
  hung('c', { ...ago(300), node: 'node-7' }),
];

/** The object of a sandbox in Resuming whose Pod runs under another name of its image. */
const objectOf = (uid: string): ObjectReply => ({
  time: Date.now(),
  object: {
    metadata: { uid, name: `pinned-${uid}`, namespace: 'demo', generation: 4 },
    spec: { template: { spec: { initContainers: [{ name: 'runtime', image: spec }], containers: [] } } },
    status: {
      phase: 'Resuming',
      observedGeneration: 4,
      conditions: [
        {
          type: 'SandboxPaused',
          status: 'True',
          reason: 'StopPauseSucceed',
          lastTransitionTime: '2026-11-30T02:52:58Z',
        },
        { type: 'SandboxResumed', status: 'False', reason: 'CreatePod', lastTransitionTime: '2026-11-30T02:52:59Z' },
      ],
    },
  },
  pod: {
    metadata: { uid: 'p', name: `pinned-${uid}`, namespace: 'demo', ownerReferences: [{ uid, controller: true }] },
    spec: { nodeName: 'node-12', initContainers: [{ name: 'runtime', image: spec }], containers: [] },
    status: { phase: 'Running', initContainerStatuses: [{ name: 'runtime', image: status }] },
  },
  events: [],
});

const store = { state: 'ok' as const };
const durations: DurationsReply = {
  time: Date.now(),
  store,
  from: 0,
  to: Date.now(),
  by: 'none',
  figures: [
    { state: 'Resuming', count: 40, unknown: 1, p50: 3_000, p95: 5_000 },
    { state: 'Resuming', gate: 'InitImages', count: 40, unknown: 1, p50: 90, p95: 160 },
    { state: 'Resuming', gate: 'Written', count: 3, unknown: 1, p50: 10, p95: 20 },
  ],
};
const historyOf = (uid: string): SandboxHistoryReply => {
  const start = Date.now() - 848_000;
  const stay = (gate: string, from: number, to?: number) => ({
    state: 'Resuming',
    gate,
    from: start + from,
    fromSource: 'condition' as const,
    ...(to === undefined ? {} : { to: start + to }),
  });
  return {
    time: Date.now(),
    store,
    since: start - 1_200,
    gaps: uid === 'a' ? [{ from: start - 90_000, to: start - 1_200 }] : [],
    stays: [
      { state: 'Pausing', fromSource: 'unknown', to: start },
      stay('PodRunning', 0, 5_000),
      stay('InitImages', 5_000),
    ],
  };
};

let marks: Mark[];
let puts: SetMarkRequest[];
let onPut: (request: SetMarkRequest) => Response;
let objects: Record<string, ObjectReply>;
let historyDown: boolean;
let triage: () => Response;
let objectsAnswer: (() => Response) | undefined;
const refused = (code: string, httpStatus: number, message: string) =>
  Response.json({ code, status: httpStatus, message, requestId: 'r' }, { status: httpStatus });

async function api(url: string, init: RequestInit = {}): Promise<Response> {
  const path = new URL(url, 'http://console').pathname;
  if (path === '/api/v1/triage') {
    if (init.method !== 'PUT') return triage();
    const request: SetMarkRequest = JSON.parse(String(init.body));
    puts.push(request);
    return onPut(request);
  }
  if (path.startsWith('/api/v1/triage/')) {
    marks = [];
    return Response.json({ removed: true });
  }
  if (path.startsWith('/api/v1/history') && historyDown) return refused('history_unavailable', 503, 'disk is full');
  if (path === '/api/v1/history/durations') return Response.json(durations);
  if (path.startsWith('/api/v1/history/sandboxes/')) return Response.json(historyOf(path.split('/').at(-1) ?? ''));
  if (path.startsWith('/api/v1/objects') && objectsAnswer) return objectsAnswer();
  const found = objects[path.split('/').at(-1) ?? ''];
  return path.startsWith('/api/v1/objects') && found ? Response.json(found) : refused('not_found', 404, 'not found');
}

const show = (sandboxes: SandboxRow[] = rowsNow(), search = '', more = {}) =>
  renderConsole(<StuckPage />, { rows: { sandboxes, ...more }, search });
/** The stream tells that somebody has said something. */
const tellOfMarks = (tab: FakeTab, version: string) =>
  act(() => tab.stream.send(heartbeat(1, undefined, undefined, version)));
const cohorts = () => screen.getByRole('grid', { name: 'Cohorts' });
const members = () => screen.getByRole('grid', { name: /^Members of/ });
const linksIn = (grid: HTMLElement) =>
  within(grid)
    .getAllByRole('link')
    .map((link) => link.textContent);
const explained = () => screen.getByRole('complementary', { name: /^Why .* is stuck$/ });

beforeAll(() => giveElementsSize());
beforeEach(() => {
  localStorage.clear();
  marks = [];
  puts = [];
  objects = { 'pinned-a': objectOf('a'), 'pinned-b': objectOf('b'), 'pinned-c': objectOf('c') };
  historyDown = false;
  objectsAnswer = undefined;
  triage = () => Response.json({ time: Date.now(), store, marks });
  onPut = (request) => {
    const mark: Mark = { id: 'm1', ...request, by: 'me', at: Date.now(), version: request.version + 1 };
    marks = [mark];
    return Response.json({ mark });
  };
  vi.stubGlobal('fetch', api);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('cohorts', () => {
  it('are of one cause in one pool, most urgent first, and say how many share a node', async () => {
    await show();
    expect(linksIn(cohorts())).toEqual(['Image spec ≠ status', 'Image pull']);
    const [, first, second] = within(cohorts()).getAllByRole('row');
    expect(first?.textContent).toContain('never converges');
    expect(first?.textContent).toContain('node-122 of 3');
    expect(second?.textContent).not.toContain('never converges');
    expect(screen.getByText('4 overdue')).toBeTruthy();
    expect(screen.getByText(/in 2 cohorts/)).toBeTruthy();
  });

  it('say of what namespace they are, also where all members are of one revision', async () => {
    await show([hung('a', { hash: 'r1', ns: 'prod' }), hung('b', { hash: 'r1', ns: 'staging' })]);
    expect(within(cohorts()).getByText(/^prod/).parentElement?.textContent).toBe('prod · r1');
    expect(within(cohorts()).getByText(/^staging/).parentElement?.textContent).toBe('staging · r1');
  });

  it('are split by node when asked to', async () => {
    const user = userEvent.setup();
    await show();
    await user.click(screen.getByRole('button', { name: 'Split' }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Node' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(linksIn(cohorts())).toHaveLength(3));
    expect(screen.getByRole('button', { name: 'Split by Node' })).toBeTruthy();
  });

  it('are found again by the address: what they are split by, and which one is chosen', async () => {
    await show(rowsNow(), '?by=node&cohort=demo~tools~Resuming~InitImageMismatch~node-7');
    expect(linksIn(members())).toEqual(['pinned-c']);
  });

  it('says of a link to what is over that it is, names it, and explains nothing else in its place', async () => {
    const user = userEvent.setup();
    await show(rowsNow(), '?cohort=prod~gone~Resuming~InitImageMismatch&peek=prod/gone-1');
    expect(await screen.findByText('This cohort is over: nothing is stuck in it any more')).toBeTruthy();
    expect(screen.getByText('Image spec ≠ status · Resuming · prod/gone')).toBeTruthy();
    expect(screen.getByText(/prod\/gone-1/)).toBeTruthy();
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(linksIn(cohorts()).length).toBeGreaterThan(0);
    await user.click(screen.getByRole('button', { name: 'Show the others' }));
    await waitFor(() => expect(explained()).toBeTruthy());
    expect(screen.queryByText(/^This cohort is over/)).toBeNull();
  });

  it('says since when the chosen one is over, and keeps what was explained', async () => {
    const key = 'demo~tools~Resuming~InitImageMismatch';
    const { tab } = await show(rowsNow(), `?cohort=${key}&peek=demo/pinned-a`);
    expect(explained()).toBeTruthy();
    const gone = ['a', 'b', 'c'];
    act(() => tab.stream.send(delta(2, {}, { sandboxes: gone })));
    expect(await screen.findByText(/^This cohort is over since/)).toBeTruthy();
    expect(explained()).toBeTruthy();
  });

  it('leads to the view that a linked cohort is in', async () => {
    const user = userEvent.setup();
    const scope = { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' };
    const until = Date.now() + 3_600_000;
    marks = [{ id: 'm', scope, kind: 'snooze', by: 'M. Kaya', at: Date.now(), until, version: 1 }];
    await show(rowsNow(), '?cohort=demo~tools~Resuming~InitImageMismatch');
    await user.click(await screen.findByRole('button', { name: 'Show Put off' }));
    await waitFor(() => expect(linksIn(cohorts())).toEqual(['Image spec ≠ status']));
    expect(screen.queryByText(/^This cohort is in another view/)).toBeNull();
  });

  it('give way to what the filter finds', async () => {
    const user = userEvent.setup();
    await show(rowsNow(), '?cohort=demo~tools~Resuming~InitImageMismatch');
    await user.type(screen.getByRole('searchbox', { name: 'Filter' }), 'late');
    await waitFor(() => expect(linksIn(members())).toEqual(['late']));
    expect(screen.queryByText(/^This cohort is/)).toBeNull();
  });

  it('are chosen by a press; members are those of the chosen one, worst first', async () => {
    const user = userEvent.setup();
    await show();
    expect(linksIn(members())).toEqual(['pinned-a', 'pinned-b', 'pinned-c']);
    await user.click(within(cohorts()).getByRole('link', { name: 'Image pull' }));
    await waitFor(() => expect(linksIn(members())).toEqual(['late']));
    expect(screen.getByRole('complementary', { name: 'Why late is stuck' })).toBeTruthy();
  });

  it('are not exchanged under the pointer because another one became worse', async () => {
    const user = userEvent.setup();
    const { tab } = await show(rowsNow().slice(2, 3));
    const why = screen.getByRole('complementary', { name: 'Why late is stuck' });
    await user.hover(why);
    act(() => tab.stream.send(delta(2, { sandboxes: rowsNow().slice(3) })));
    await waitFor(() => expect(screen.getByRole('radio', { name: 'Overdue 4' })).toBeTruthy());
    expect(linksIn(members())).toEqual(['late']);
    expect(screen.getByRole('complementary', { name: 'Why late is stuck' })).toBe(why);
    await user.unhover(why);
    await waitFor(() => expect(linksIn(members())).toHaveLength(3));
  });

  it('is calm when nothing is overdue, and does not say so before it knows', async () => {
    const { unmount } = await renderConsole(<StuckPage />);
    expect(screen.queryByText('Nothing overdue.')).toBeNull();
    unmount();
    await show(rowsNow().slice(0, 2));
    expect(screen.getByText('Nothing overdue.')).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'In progress 1' }).getAttribute('aria-checked')).toBe('true');
  });
});

describe('explanation', () => {
  it('explains the worst one unasked: gates in order, the one that fails open, both images part by part', async () => {
    await show();
    const why = explained();
    expect(within(why).getByRole('heading', { name: 'Never converges' })).toBeTruthy();
    const gates = await within(why).findByRole('list', { name: /^What the controller waits for/ });
    const said = within(gates)
      .getAllByRole('listitem')
      .map((item) => item.querySelector('.q')?.textContent?.trim());
    expect(said[0]).toBe('The pause before is finished passed');
    expect(said.indexOf('Init images: spec equals status not passed')).toBe(6);
    expect(said.at(-1)).toBe('The controller writes the result not reached');
    const repository = within(why).getByRole('row', { name: /^Repository/ });
    expect(repository.className).toBe('ne');
    expect(repository.textContent).toContain('agents/agent-runtime');
    expect(repository.textContent).toContain('library/sha256');
    expect(within(why).getByText('certain')).toBeTruthy();
  });

  it('offers what frees it with what that loses, and names what does not help', async () => {
    await show();
    const why = explained();
    const retag = await within(why).findByText(/name the image of runtime by a tag/);
    const way = retag.closest('li');
    expect(way?.textContent).toContain('Loses memory, root file system, address');
    expect(way?.textContent).toContain('kubectl -n demo patch sandboxes/pinned-a');
    expect(way?.textContent).toContain('kubectl -n demo delete pod/pinned-a');
    const useless = within(why).getByRole('heading', { name: 'Will not help here' }).nextElementSibling;
    expect(useless?.textContent).toContain('Delete the pod alone');
    expect(useless?.textContent).toContain('Pause it again');
    const ways = within(why).getByRole('heading', { name: /^What you can do/ }).nextElementSibling;
    expect([...(ways?.children ?? [])].slice(0, 2).map((way) => way.textContent)).toEqual([
      expect.stringContaining('Copy the incident bundle'),
      expect.stringContaining('Extend the shutdown'),
    ]);
  });

  it('says what was checked when no rule has an answer, and shows what this version does not know as unknown', async () => {
    const object = objectOf('x');
    objects['pinned-x'] = {
      ...object,
      object: { ...object.object, status: { phase: 'Thawing', conditions: [{ type: 'Thawed', status: 'Maybe' }] } },
    };
    await show([sandbox('x', { name: 'pinned-x', ...resuming, ...ago(900), sinceFrom: 'observed' })]);
    const why = explained();
    expect(await within(why).findByText('Sandbox status.phase')).toBeTruthy();
    expect(why.textContent).toContain('Thawing');
    expect(why.textContent).toContain('No reason found');
    expect(within(why).getByRole('heading', { name: 'Checked, without finding the cause' })).toBeTruthy();
  });

  it('keeps what the row says when the object cannot be read', async () => {
    await show([rowsNow()[2] as SandboxRow]);
    const why = explained();
    expect(await within(why).findByRole('heading', { name: 'The object could not be read' })).toBeTruthy();
    expect(within(why).getByRole('heading', { name: 'Image pull' })).toBeTruthy();
    expect(why.textContent).toContain('runtime: ErrImagePull');
  });

  it('says in plain words that the API server is away, without an empty part above', async () => {
    objectsAnswer = () => refused('upstream_unavailable', 503, 'connect ECONNREFUSED 127.0.0.1:6443');
    await show();
    const why = explained();
    expect(await within(why).findByText(/^The API server does not answer/)).toBeTruthy();
    expect(within(why).queryByText(/ECONNREFUSED/)).toBeNull();
    expect([...why.querySelectorAll('.psec')].filter((part) => part.textContent === '')).toEqual([]);
  });

  it('names the operation and the failed hook, shows its output in full, and whose the sandbox is', async () => {
    const whole = `hook failed: ${'x'.repeat(300)} exit status 2`;
    const labels = { 'agents.kruise.io/sandbox-claimed': 'true', team: 'insights' };
    const lifecycle = { preUpgrade: { exec: { command: ['/bin/sh', '-c', 'save --all'] }, timeoutSeconds: 30 } };
    const condition = { type: 'Upgrading', status: 'False', reason: 'PreUpgradeFailed', message: whole };
    objects['pinned-h'] = {
      time: Date.now(),
      object: {
        metadata: { uid: 'h', name: 'pinned-h', namespace: 'demo', labels },
        spec: { lifecycle },
        status: { phase: 'Upgrading', conditions: [condition] },
      },
      events: [],
    };
    const upgrading = { phase: 'Upgrading', state: 'Upgrading' as const, stage: 'PreUpgradeFailed' };
    const op = { uid: 'o', ns: 'demo', name: 'u-11', phase: 'Updating', strategy: 'Recreate', selector: '' };
    const row = hung('h', {
      ...upgrading,
      ...ago(60),
      cause: { code: 'HookFailed' },
      op: 'u-11',
      claimName: 'nightly',
    });
    await show([row], '', { sandboxupdateops: [{ ...op, hasPatch: true, taken: true }] });
    const why = explained();
    expect(await within(why).findAllByText(whole)).toBeTruthy();
    expect(within(why).getByRole('link', { name: 'u-11' }).getAttribute('href')).toBe('/upgrades/demo/u-11');
    expect(within(why).getAllByText('/bin/sh -c save --all').length).toBeGreaterThan(0);
    const whose = within(why).getByRole('heading', { name: 'Whose' }).parentElement;
    expect(whose?.textContent).toContain('nightly');
    expect(whose?.textContent).toContain('insights');
  });

  it('steps from member to member in the order of the list', async () => {
    const user = userEvent.setup();
    await show();
    await user.click(within(explained()).getByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('complementary', { name: 'Why pinned-b is stuck' })).toBeTruthy();
  });
});

describe('charts', () => {
  it('put the time of the members beside what is usual, with the limits of the state', async () => {
    await show();
    const state = await screen.findByRole('img', {
      name: /^Resuming: p50 ≥\s10m\s0\ds, p95 ≥\s14m\s\d\ds, usual p95 5\.0\ss of 40$/,
    });
    expect(state.querySelectorAll('.slo2')).toHaveLength(2);
    expect(await screen.findByRole('img', { name: /^Init images.*usual p95 160\sms of 40$/ })).toBeTruthy();
    expect(screen.getByText('n 3')).toBeTruthy();
    expect(screen.getByRole('img', { name: /^The controller writes.*usual p95 20\sms of 3$/ }).textContent).toBe(
      'not seen in any member',
    );
  });

  it('tear the edge of an unknown start, collapse what did not change, and say the same in a table', async () => {
    const user = userEvent.setup();
    await show();
    const torn = await screen.findByRole('img', { name: /^Pausing: ≥\s1\.2\ss, onset unknown$/ });
    expect(torn.querySelector('.torn')).toBeTruthy();
    expect(screen.getByText(/^14\sm without change$/)).toBeTruthy();
    const views = screen.getByRole('radiogroup', { name: 'How to show: Timeline' });
    await user.click(within(views).getByRole('radio', { name: 'Table' }));
    const table = screen.getByRole('region', { name: 'Timeline' });
    const row = within(table).getByRole('row', { name: /^Init images/ });
    expect(row.textContent).toContain('still open');
    expect(screen.getByText(/^The console did not watch in 1 stretch/)).toBeTruthy();
  });

  it('say that the history is not available, and leave the rest of the page as it is', async () => {
    historyDown = true;
    await show();
    expect((await screen.findAllByText('The history is not available')).length).toBe(2);
    expect(screen.getAllByText('disk is full').length).toBe(2);
    expect(await screen.findByRole('img', { name: /^Resuming: p50/ })).toBeTruthy();
    expect(linksIn(members())).toHaveLength(3);
  });
});

describe('taking and putting off', () => {
  it('takes a cohort with one press, for what its row is grouped by, and shows the name', async () => {
    const user = userEvent.setup();
    await show();
    await user.click(await screen.findByRole('button', { name: 'Take Image spec ≠ status · tools' }));
    expect(await within(cohorts()).findByText('me')).toBeTruthy();
    const scope = { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' };
    expect(puts).toEqual([{ scope, version: 0, kind: 'ack' }]);
    expect(screen.getByRole('radio', { name: 'Acknowledged 3' })).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'Overdue 4' })).toBeTruthy();
  });

  it('keeps what was said when it cannot be read, and says so; where nothing is known nobody is said to be free', async () => {
    const scope = { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' };
    marks = [{ id: 'm', scope, kind: 'ack', by: 'M. Kaya', at: Date.now(), version: 1 }];
    const { tab } = await show();
    expect(await screen.findByRole('radio', { name: 'Acknowledged 3' })).toBeTruthy();
    triage = () => refused('upstream_unavailable', 503, 'access cannot be checked now');
    tellOfMarks(tab, 'v2');
    expect(await screen.findByText('Who is on what is as last known, and may have changed')).toBeTruthy();
    expect(screen.getByText('access cannot be checked now')).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'Acknowledged 3' })).toBeTruthy();
    expect(within(cohorts()).getByText('M. Kaya')).toBeTruthy();
    expect(within(cohorts()).queryByRole('button', { name: /^Take/ })).toBeNull();
    triage = () => Response.json({ time: Date.now(), store: { state: 'unavailable', why: 'disk is full' }, marks: [] });
    tellOfMarks(tab, 'v2-away');
    expect(await screen.findByText('disk is full')).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'Acknowledged 3' })).toBeTruthy();
  });

  it('reads what was said once each time the stream tells of something new, and never else', async () => {
    const scope = { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' };
    let reads = 0;
    triage = () => {
      reads++;
      return Response.json({ time: Date.now(), store, marks });
    };
    const { tab } = await renderConsole(<StuckPage />);
    expect(reads).toBe(0);
    await act(async () => tab.list.answer(reply(1, { sandboxes: rowsNow() })));
    expect(await screen.findByRole('radio', { name: 'Acknowledged 0' })).toBeTruthy();
    marks = [{ id: 'm', scope, kind: 'ack', by: 'M. Kaya', at: Date.now(), version: 1 }];
    tellOfMarks(tab, 'v1');
    tellOfMarks(tab, 'v1');
    expect(reads).toBe(1);
    tellOfMarks(tab, 'v2');
    expect(await screen.findByRole('radio', { name: 'Acknowledged 3' })).toBeTruthy();
    expect(reads).toBe(2);
  });

  it('says of whom a word is of before all of these began', async () => {
    const scope = { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' };
    marks = [{ id: 'm', scope, kind: 'ack', by: 'M. Kaya', at: Date.now() - 500_000, version: 1 }];
    await show([hung('a', ago(300)), hung('b', ago(200))]);
    expect(await within(cohorts()).findByText(/^\d\d:\d\d, before these$/)).toBeTruthy();
    cleanup();
    await show([hung('a', ago(600)), hung('b', ago(200))]);
    expect(await within(cohorts()).findByText(/^since/)).toBeTruthy();
  });

  it('says who was faster and since when, and keeps theirs', async () => {
    const user = userEvent.setup();
    onPut = (request) => {
      marks = [
        { id: 'm', ...request, by: 'M. Kaya', at: Date.parse('2026-11-30T03:05:00Z'), version: 1, note: 'node 12' },
      ];
      return refused('conflict', 409, 'M. Kaya took it');
    };
    await show();
    await user.click(await screen.findByRole('button', { name: 'Take Image spec ≠ status · tools' }));
    const dialog = await screen.findByRole('dialog');
    const alert = await within(dialog).findByRole('alert');
    expect(alert.textContent).toContain('Somebody was faster');
    await waitFor(() => expect(alert.textContent).toContain('M. Kaya'));
    expect(alert.textContent).toContain('since 03:05');
    expect(alert.textContent).toContain('node 12');
  });

  it('does not put what was typed over what somebody said while it was typed, and does when asked again', async () => {
    const user = userEvent.setup();
    const scope = { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' };
    const first: Mark = { id: 'm', scope, kind: 'ack', by: 'me', at: Date.now(), version: 5 };
    const theirs: Mark = { ...first, by: 'M. Kaya', version: 6, note: 'node 12' };
    marks = [first];
    onPut = ({ version }) => {
      if (version !== theirs.version) {
        return Response.json(
          { code: 'conflict', status: 409, message: '', requestId: 'r', mark: theirs },
          { status: 409 },
        );
      }
      return Response.json({ mark: { ...theirs, by: 'me', version: 7 } });
    };
    const { tab } = await show();
    await user.click(await screen.findByRole('button', { name: /^Who is on Image spec/ }));
    const dialog = await screen.findByRole('dialog');
    await user.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'restart');
    // The list of marks is read again meanwhile.
    marks = [theirs];
    tellOfMarks(tab, 'v2');
    await waitFor(() => expect(dialog.textContent).toContain('node 12'));
    await user.click(within(dialog).getByRole('button', { name: 'Change' }));
    const alert = await within(dialog).findByRole('alert');
    expect(alert.textContent).toContain('M. Kaya');
    expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('restart');
    await user.click(within(dialog).getByRole('button', { name: 'Change' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(puts.map(({ version, note }) => [version, note])).toEqual([
      [5, 'restart'],
      [6, 'restart'],
    ]);
  });

  it('puts off until a time of one’s own, of the next 24 hours', async () => {
    const user = userEvent.setup();
    marks = [
      {
        id: 'm',
        scope: { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' },
        kind: 'ack',
        by: 'me',
        at: Date.now(),
        version: 5,
      },
    ];
    await show();
    await user.click(await screen.findByRole('button', { name: /^Who is on Image spec/ }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('radio', { name: /^Put off/ }));
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'For' }), 'At a time…');
    const field = within(dialog).getByLabelText(/^Until/);
    const typed = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 16);
    fireEvent.change(field, { target: { value: typed(25 * 3_600_000) } });
    expect(within(dialog).getByText('At most 24 hours.')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Change' }));
    expect(puts).toEqual([]);
    const until = typed(2 * 3_600_000);
    fireEvent.change(field, { target: { value: until } });
    await user.click(within(dialog).getByRole('button', { name: 'Change' }));
    await waitFor(() => expect(puts).toMatchObject([{ kind: 'snooze', until: Date.parse(`${until}Z`), version: 5 }]));
  });

  it('puts off with an end: out of the overdue, in a view of its own, and back when it is over', async () => {
    const user = userEvent.setup();
    const scope = { ns: 'demo', pool: 'tools', state: 'Resuming', cause: 'InitImageMismatch' };
    const snooze: Mark = {
      id: 'm',
      scope,
      kind: 'snooze',
      by: 'M. Kaya',
      at: Date.now(),
      until: Date.now() + 3_600_000,
      version: 1,
    };
    marks = [snooze];
    await show();
    expect(await screen.findByRole('radio', { name: 'Put off 3' })).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'Overdue 1' })).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Put off 3' }));
    await user.click(await screen.findByRole('button', { name: /^Who is on Image spec/ }));
    await user.click(await screen.findByRole('button', { name: 'Release' }));
    expect(await screen.findByRole('radio', { name: 'Overdue 4' })).toBeTruthy();
    // The row that the drawer was opened from is in another view by now.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
    cleanup();
    marks = [{ ...snooze, until: Date.now() - 1 }];
    await show();
    expect(await screen.findByRole('radio', { name: 'Overdue 4' })).toBeTruthy();
  });
});

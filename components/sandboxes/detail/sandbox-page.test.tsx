// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { AppLocale } from '@/lib/i18n';
import { sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../../testing/render-console';
import { SandboxDetailPage } from './sandbox-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/sandboxes/demo/late' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

const containers = (tag: string) => ({ containers: [{ name: 'main', image: `registry.local/notebook:${tag}` }] });
const template = { spec: containers('2026.11') };
const replyOf = (spec: object): ObjectReply => ({
  time: Date.now(),
  object: { metadata: { uid: 's', name: 'late', namespace: 'demo', labels: { team: 'insights' } }, spec },
  pod: {
    metadata: { uid: 'p', name: 'late' },
    spec: { ...containers('2026.10'), initContainers: [{ name: 'injected', image: 'registry.local/runtime:v1' }] },
    status: { containerStatuses: [{ name: 'main', image: 'registry.local/notebook:2026.10' }] },
  },
  events: [],
});
const row = sandbox('s', {
  name: 'late',
  state: 'Upgrading',
  phase: 'Upgrading',
  stage: 'PreUpgradeFailed',
  op: 'u-11',
});
const op = {
  uid: 'o',
  ns: 'demo',
  name: 'u-11',
  phase: 'Failed',
  strategy: 'Recreate',
  selector: '',
  hasPatch: true,
  taken: true,
};

async function open(
  spec: object,
  locale: AppLocale = 'en',
  rows: object[] = [row],
  reply: (spec: object) => ObjectReply = replyOf,
) {
  vi.stubGlobal('fetch', async () => Response.json(reply(spec)));
  await renderConsole(<SandboxDetailPage ns="demo" name="late" />, {
    rows: { sandboxes: rows as (typeof row)[], sandboxupdateops: [op] },
    locale,
  });
}

beforeAll(() => giveElementsSize());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ['its own template', { template }, {}],
  [
    'the template it refers to',
    { templateRef: { name: 'shared' } },
    { template: { metadata: { uid: 't', name: 'shared' }, spec: { template } } },
  ],
])('shows the image the sandbox asks for in %s, apart from the one of its Pod', async (_, spec, beside) => {
  await open(spec, 'en', [row], (asked) => ({ ...replyOf(asked), ...beside }));
  const main = await screen.findByRole('row', { name: /^main .*2026\.11/ });
  const cells = within(main)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
  expect(cells.slice(1, 4)).toEqual([
    'registry.local/notebook:2026.11Pod differs',
    'registry.local/notebook:2026.10',
    'registry.local/notebook:2026.10',
  ]);
  const injected = screen.getByRole('row', { name: /^injected/ });
  expect(within(injected).getAllByRole('cell')[1]?.textContent).toBe('–');
});

it('lists a container that the sandbox asks for and the Pod does not have', async () => {
  await open({ template: { spec: { containers: [{ name: 'added', image: 'registry.local/new:1' }] } } });
  expect((await screen.findByRole('row', { name: /^added/ })).textContent).toContain('not in the Pod');
});

it('names the labels that people gave it', async () => {
  await open({ template });
  expect(await screen.findByText('team=insights')).toBeTruthy();
});

it('says the state of its upgrade in the language of the page', async () => {
  await open({ template }, 'zh-CN');
  const link = await screen.findByRole('link', { name: 'u-11' });
  expect(link.parentElement?.textContent).toBe('u-11 失败');
});

const pinned = `registry.local/runtime:v1@sha256:${'a'.repeat(64)}`;
const pinnedTemplate = { spec: { initContainers: [{ name: 'runtime', image: pinned }], containers: [] } };

it('says of a paused sandbox that its resume may strand it, with the images its next Pod is made from', async () => {
  const paused: object = sandbox('s', {
    name: 'late',
    state: 'Paused',
    phase: 'Paused',
    paused: true,
    pinned: true,
  });
  const reply = (spec: object): ObjectReply => ({
    time: Date.now(),
    object: {
      metadata: { uid: 's', name: 'late', namespace: 'demo' },
      spec: { ...spec, paused: true },
      status: { phase: 'Paused', conditions: [{ type: 'SandboxPaused', status: 'True', reason: 'SetPause' }] },
    },
    events: [],
  });
  await open({ template: pinnedTemplate }, 'en', [paused], reply);
  expect(await screen.findByText('A resume may strand it')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Change images…' })).toBeTruthy();
  expect(screen.getByText('There is no pod now.')).toBeTruthy();
  expect(screen.getByRole('row', { name: /^runtime init/ }).textContent).toContain('registry.local/runtime:v1@sha256:');
  cleanup();
  await open({ template: pinnedTemplate }, 'en', [{ ...paused, strands: true }], reply);
  expect(await screen.findByText('Resuming it would strand it')).toBeTruthy();
});

it('says of a running sandbox that a pause would strand it, by the two names', async () => {
  const reported = `sha256:${'b'.repeat(64)}`;
  const reply = (spec: object): ObjectReply => ({
    time: Date.now(),
    object: {
      metadata: { uid: 's', name: 'late', namespace: 'demo' },
      spec,
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', reason: 'PodReady' }] },
    },
    pod: {
      metadata: { uid: 'p', name: 'late' },
      spec: pinnedTemplate.spec,
      status: { phase: 'Running', initContainerStatuses: [{ name: 'runtime', image: reported }] },
    },
    events: [],
  });
  await open({ template: pinnedTemplate }, 'en', [sandbox('s', { name: 'late', strands: true })], reply);
  const note = (await screen.findByText('Pausing it would strand it')).closest('.note');
  expect(note?.textContent).toContain(reported);
  expect(note?.textContent).toContain('certain');
});

it('has the title that the page of stuck sandboxes has for the same verdict', async () => {
  const late = sandbox('s', {
    name: 'late',
    state: 'Resuming',
    phase: 'Resuming',
    since: Date.now() - 900_000,
    sinceFrom: 'condition',
    cause: { code: 'InitImageMismatch', never: true },
  });
  await open({ template: pinnedTemplate }, 'en', [late]);
  expect(await screen.findByRole('heading', { name: 'Never converges' })).toBeTruthy();
  expect(screen.getByText(/^Resuming for/)).toBeTruthy();
});

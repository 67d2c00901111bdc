// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { ObjectReply } from '@/lib/contracts/objects';
import { sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../../testing/render-console';
import { StuckPage } from '../stuck-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/stuck' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

const condition = (type: string, status: string, reason: string) => ({
  type,
  status,
  reason,
  lastTransitionTime: '2026-11-30T02:52:58Z',
});

/** The explainer of one sandbox that is late, with its objects as the server reads them. */
async function explain(row: object, object: object, pod: object | undefined, more: object = {}) {
  const reply: ObjectReply = {
    time: Date.now(),
    object: { metadata: { uid: 's', name: 'late', namespace: 'demo' }, ...object },
    events: [],
    ...(pod ? { pod: pod as NonNullable<ObjectReply['pod']> } : {}),
  };
  vi.stubGlobal('fetch', async (url: string) =>
    new URL(url, 'http://console').pathname.startsWith('/api/v1/objects')
      ? Response.json(reply)
      : Response.json({ code: 'not_found', status: 404, message: 'no', requestId: 'r' }, { status: 404 }),
  );
  const late = sandbox('s', { name: 'late', since: Date.now() - 3_600_000, sinceFrom: 'condition', ...row });
  await renderConsole(<StuckPage />, { rows: { sandboxes: [late], ...more } });
  return within(screen.getByRole('complementary', { name: 'Why late is stuck' }));
}

const ownPod = (status: object, spec: object = {}) => ({
  metadata: { uid: 'new-pod', name: 'late', namespace: 'demo', ownerReferences: [{ uid: 's', controller: true }] },
  spec: { nodeName: 'node-7', containers: [], ...spec },
  status,
});

beforeAll(() => giveElementsSize());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('gives each gate that is passed what it was judged by', async () => {
  const image = 'reg/runtime:v1';
  const at = '2026-11-30T02:53:01Z';
  const explainer = await explain(
    { state: 'Resuming', phase: 'Resuming', cause: { code: 'ControllerLag' } },
    {
      spec: {},
      status: {
        phase: 'Resuming',
        podInfo: { podUID: 'old-pod' },
        conditions: [condition('SandboxPaused', 'True', 'StopPauseSucceed')],
      },
    },
    ownPod(
      {
        phase: 'Running',
        conditions: [condition('PodScheduled', 'True', '')],
        initContainerStatuses: [{ name: 'runtime', image, imageID: 'i' }],
        containerStatuses: [{ name: 'main', image, imageID: 'i', state: { running: { startedAt: at } } }],
      },
      { initContainers: [{ name: 'runtime', image }], containers: [{ name: 'main', image }] },
    ),
  );
  await explainer.findByText('old-pod gone');
  const gates = within(explainer.getByRole('list', { name: /^What the controller waits for/ })).getAllByRole(
    'listitem',
  );
  const evidence = gates.map((gate) => gate.querySelector('.ev')?.textContent);
  expect(evidence.slice(1, 7)).toEqual([
    'old-pod gone',
    'new-pod',
    expect.stringMatching(/^node-7, /),
    '2/2 images there',
    expect.stringMatching(/^Running, /),
    'equal: runtime',
  ]);
});

it('says of an image id beside a reference that they cannot be compared, not that another image runs', async () => {
  const digest = (figure: string) => `sha256:${figure.repeat(64)}`;
  const explainer = await explain(
    { state: 'Resuming', phase: 'Resuming', cause: { code: 'InitImageMismatch', never: true } },
    {
      spec: {},
      status: {
        phase: 'Resuming',
        conditions: [condition('SandboxPaused', 'True', 'StopPauseSucceed')],
      },
    },
    ownPod(
      {
        phase: 'Running',
        conditions: [condition('Ready', 'True', '')],
        initContainerStatuses: [{ name: 'runtime', image: digest('2'), imageID: 'i' }],
      },
      { initContainers: [{ name: 'runtime', image: `reg.example/runtime:v1@${digest('1')}` }] },
    ),
  );
  await explainer.findByText('tag and manifest digest');
  expect(explainer.getByText(/they cannot be compared. It does not say that another image runs/)).toBeTruthy();
});

it('leads from a sandbox that its paused operation woke to the form that lets it go on', async () => {
  const explainer = await explain(
    { state: 'Upgrading', phase: 'Upgrading', stage: 'ResumeSucceed', op: 'up', cause: { code: 'OperationPaused' } },
    {
      metadata: { uid: 's', name: 'late', namespace: 'demo', labels: { 'agents.kruise.io/update-ops': 'up' } },
      spec: {},
      status: { phase: 'Upgrading', conditions: [condition('Upgrading', 'False', 'ResumeSucceed')] },
    },
    ownPod({ phase: 'Running' }),
    {
      sandboxupdateops: [
        {
          uid: 'o',
          ns: 'demo',
          name: 'up',
          phase: 'Updating',
          strategy: 'Recreate',
          selector: '',
          hasPatch: true,
          taken: true,
          paused: true,
        },
      ],
    },
  );
  const way = await explainer.findByRole('link', { name: 'Continue it…' });
  expect(way.getAttribute('href')).toBe('/upgrades/demo/up?form=continue');
  expect(explainer.getByRole('heading', { name: 'Operation paused' })).toBeTruthy();
});

it('says of a useless step only the reason that holds against its cause', async () => {
  const explainer = await explain(
    { state: 'Resuming', phase: 'Resuming', cause: { code: 'Unschedulable' } },
    { spec: {}, status: { phase: 'Resuming', conditions: [condition('SandboxPaused', 'True', 'StopPauseSucceed')] } },
    ownPod({ phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'Unschedulable')] }),
  );
  expect(await explainer.findByText('Another pod asks for the same, and finds no node either.')).toBeTruthy();
  expect(explainer.queryByText(/same comparison/i)).toBeNull();
});

it('names whose the finalizer is, and does not call its removal free', async () => {
  const finalizers = ['example.com/hold'];
  const explainer = await explain(
    { state: 'Terminating', deleting: Date.now() - 3_600_000, gen: 7, obs: 6, cause: { code: 'FinalizerHeld' } },
    {
      metadata: { uid: 's', name: 'late', namespace: 'demo', deletionTimestamp: '2026-11-30T02:00:00Z', finalizers },
      spec: {},
      status: { phase: 'Running' },
    },
    undefined,
  );
  expect(await explainer.findByText(/^example\.com\/hold is held by whoever is behind example\.com/)).toBeTruthy();
  const remove = explainer.getByText('When no controller will: remove example.com/hold').closest('li');
  expect(remove?.textContent).toContain('Loses the clean-up by the owner of the finalizer');
  expect(explainer.queryByText(/generation 6 of 7/)).toBeNull();
});

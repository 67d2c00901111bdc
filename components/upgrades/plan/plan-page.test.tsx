// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setUpPage } from '../../testing/set-up-page';
import { planUpgrade } from './hand-over';
import { fakeApi, openPlan, previewOf, receiptOf, set, step, target } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/upgrades/new' }));
vi.mock('../../shell/scope', () => ({ useScope: () => ({ namespaces: [] }) }));
vi.mock('../../writes/yaml-editor', () => import('../../testing/yaml-editor'));
vi.setConfig({ testTimeout: 60_000 });

setUpPage();
beforeEach(() => sessionStorage.clear());

const start = () => screen.getByRole('button', { name: /^Upgrade \d+ sandbox|Asking|Counting/ });
const enabled = () => waitFor(() => expect(start().getAttribute('aria-disabled')).toBeNull());

describe('the plan of an upgrade', () => {
  it('says where sandboxes come from that nobody chose by hand', async () => {
    fakeApi();
    const sandboxes = [{ uid: 'u-web-a', name: 'web-a' }];
    const targets = { by: 'selection' as const, sandboxes };
    const origin = { as: 'troubled' as const, operation: 'november', reason: 'PostUpgradeFailed' };
    const href = planUpgrade({ namespace: 'lab', targets, origin });
    const { user } = await openPlan({ search: href.slice(href.indexOf('?')) });
    const said = await screen.findByText(/^Those of operation/);
    expect(said.textContent).toContain('Those of operation november that are in PostUpgradeFailed.');
    expect(within(said).getByRole('link').getAttribute('href')).toBe('/upgrades/lab/november');
    await user.click(screen.getByText('Their names'));
    await user.click(screen.getByRole('button', { name: 'Choose none' }));
    expect(screen.getByText(/^Chosen on the/)).toBeTruthy();
  });

  it('is started with the list that was shown, after the count is typed', async () => {
    const api = fakeApi();
    const { user } = await openPlan();
    expect(await screen.findByRole('link', { name: 'web-a' })).toBeTruthy();
    await user.click(step('Change'));
    set(await screen.findByLabelText('Image'), 'code:v2');
    await user.click(step('Safety'));
    set(screen.getByLabelText('maxUnavailable'), '1');
    expect(await screen.findByText('1 failure stops the operation for good')).toBeTruthy();
    await user.click(step('Review'));
    await screen.findByText(/Dry run accepted/);
    set(screen.getByLabelText('Name'), 'web-v2');
    set(screen.getByLabelText('Reason'), 'new base image');
    await enabled();
    await user.click(start());
    const dialog = await screen.findByRole('dialog', { name: 'Upgrade 2 sandboxes' });
    const confirm = within(dialog).getByRole('button', { name: 'Upgrade 2 sandboxes' });
    expect(confirm.getAttribute('aria-disabled')).toBe('true');
    await user.click(confirm);
    expect(api.writes()).toEqual([]);
    await user.type(within(dialog).getByLabelText('Type 2 to confirm'), '2');
    await user.click(confirm);
    await screen.findByText('Upgrade web-v2 created');
    expect(api.writes().map(({ body }) => body)).toEqual([
      {
        draft: {
          namespace: 'lab',
          name: 'web-v2',
          targets: { by: 'pool', pool: 'web' },
          states: ['Running'],
          change: { by: 'patch', patch: { spec: { containers: [{ name: 'main', image: 'code:v2' }] } } },
          strategy: 'Recreate',
          maxUnavailable: 1,
          paused: false,
        },
        frozen: [
          { uid: 'u-web-a', name: 'web-a' },
          { uid: 'u-web-b', name: 'web-b' },
        ],
        reason: 'new base image',
        dryRun: false,
      },
    ]);
    expect(screen.getByRole('link', { name: 'Watch it' }).getAttribute('href')).toBe('/upgrades/lab/web-v2');
    await waitFor(() => expect(localStorage).toHaveLength(0));
  });

  it('keeps what was typed when the page is loaded again, and in another language', async () => {
    fakeApi();
    const { user } = await openPlan();
    await user.click(step('Change'));
    set(await screen.findByLabelText('Image'), 'code:v2');
    cleanup();
    await openPlan({ search: '?step=change', locale: 'zh-CN' });
    expect(await screen.findByLabelText('镜像')).toHaveProperty('value', 'code:v2');
    await user.click(screen.getByRole('button', { name: '放弃草稿' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '放弃草稿' }));
    await waitFor(() => expect(localStorage).toHaveLength(0));
  });

  it('keeps a draft aside when a link opens another, and gives it back', async () => {
    fakeApi();
    const first = await openPlan();
    await first.user.click(step('Change'));
    set(await screen.findByLabelText('Image'), 'code:v2');
    cleanup();
    const href = planUpgrade({
      namespace: 'lab',
      targets: { by: 'selection', sandboxes: [{ uid: 'u-1', name: 'one' }] },
    });
    const { user } = await openPlan({ search: href.slice(href.indexOf('?')) });
    await screen.findByText('1 sandbox chosen');
    await user.click(await screen.findByRole('button', { name: 'Open the draft for lab/web' }));
    await user.click(step('Change'));
    expect(await screen.findByLabelText('Image')).toHaveProperty('value', 'code:v2');
  });

  it('says that what a link handed over is not here', async () => {
    fakeApi();
    await openPlan({ search: '?draft=elsewhere' });
    expect(await screen.findByText(/^What the link handed over is not in this tab/)).toBeTruthy();
  });

  it('says that a draft is older than a day', async () => {
    fakeApi();
    await openPlan();
    await screen.findByRole('link', { name: 'web-a' });
    cleanup();
    const [key] = Object.keys(localStorage);
    const [draft] = JSON.parse(localStorage.getItem(key ?? '') ?? '[]');
    localStorage.setItem(key ?? '', JSON.stringify([{ ...draft, edited: true, savedAt: Date.now() - 3 * 86_400_000 }]));
    await openPlan({ search: '' });
    expect(await screen.findByText(/^This draft was last changed 3d/)).toBeTruthy();
  });

  it('gives up a question that is not the last one any more', async () => {
    const api = fakeApi();
    const unanswered = new Promise<never>(() => undefined);
    api.onPreview = ({ targets }) => (targets.by === 'pool' ? unanswered : { body: previewOf() });
    const { user } = await openPlan();
    await waitFor(() => expect(api.previews()).toHaveLength(1));
    await user.click(screen.getByRole('radio', { name: 'Labels' }));
    set(screen.getByLabelText('Key of label 1'), 'app');
    set(screen.getByLabelText('Values of label 1'), 'web');
    expect(await screen.findByRole('link', { name: 'web-a' })).toBeTruthy();
    expect(api.previews()[0]?.signal?.aborted).toBe(true);
  });

  it('asks again for what is typed, and says why sandboxes are left out', async () => {
    const api = fakeApi();
    api.onPreview = ({ targets }) => ({
      body: previewOf(
        targets.by === 'labels'
          ? { targets: [target('box')], leftOut: [{ uid: 'x', name: 'idle-1', reason: 'poolMember' }] }
          : {},
      ),
    });
    const { user } = await openPlan();
    await screen.findByRole('link', { name: 'web-a' });
    await user.click(screen.getByRole('radio', { name: 'Labels' }));
    expect(screen.getByText(/^Name at least one label/)).toBeTruthy();
    set(screen.getByLabelText('Key of label 1'), 'app');
    set(screen.getByLabelText('Values of label 1'), 'web, shop');
    expect(await screen.findByRole('link', { name: 'box' })).toBeTruthy();
    expect(api.previews().at(-1)?.body.targets).toEqual({
      by: 'labels',
      selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'shop'] }] },
    });
    expect(screen.getByText('Not claimed')).toBeTruthy();
    expect(screen.getByText('The pool’s own template rolls its idle members.')).toBeTruthy();
  });

  it('follows the rows of labels with the focus, and says that one is not finished', async () => {
    fakeApi();
    const { user } = await openPlan();
    await user.click(await screen.findByRole('radio', { name: 'Labels' }));
    set(screen.getByLabelText('Key of label 1'), 'app');
    set(screen.getByLabelText('Values of label 1'), 'web');
    await user.click(screen.getByRole('button', { name: 'Add label' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Key of label 2')));
    expect(screen.getByText('Name the label, or remove this row.')).toBeTruthy();
    expect(step('Targets').textContent).toContain('(not complete)');
    await user.click(screen.getByRole('button', { name: 'Remove label 2' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Key of label 1')));
    expect(step('Targets').textContent).toContain('(complete)');
  });

  it('says that the number is of now, and keeps to exactly these on request', async () => {
    const api = fakeApi();
    const { user } = await openPlan();
    expect(await screen.findByText(/^2 sandboxes match now\. While the operation runs/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Exactly these 2' }));
    await screen.findByText('2 sandboxes chosen');
    await waitFor(() => expect(api.previews().at(-1)?.body.targets).toMatchObject({ by: 'selection' }));
    expect(screen.queryByText(/sandboxes match now/)).toBeNull();
  });

  it('calls no step complete that was not opened', async () => {
    fakeApi();
    const { user } = await openPlan();
    await screen.findByRole('link', { name: 'web-a' });
    expect(step('Safety').textContent).toContain('(not opened yet)');
    await user.click(step('Safety'));
    expect(step('Safety').textContent).toContain('(complete)');
  });

  it('counts chosen ones that another operation still holds, and says so', async () => {
    const api = fakeApi();
    const locked = { code: 'namespaceLocked' as const, weight: 'stops' as const, names: ['old'], count: 1 };
    api.onPreview = () => ({
      body: previewOf({ targets: [target('web-a', { heldBy: 'old' })], active: ['old'], problems: [locked] }),
    });
    const sandboxes = [{ uid: 'u-web-a', name: 'web-a' }];
    const href = planUpgrade({ namespace: 'lab', targets: { by: 'selection', sandboxes } });
    await openPlan({ search: href.slice(href.indexOf('?')) });
    expect(await screen.findByText('free when old is gone')).toBeTruthy();
    expect(screen.getByText(/^1 of the chosen sandboxes works for old/)).toBeTruthy();
  });

  it('names who came and who went since the list was seen, and starts only with the new list', async () => {
    const api = fakeApi();
    let targets = [target('web-a'), target('web-b')];
    api.onPreview = () => ({ body: previewOf({ targets }) });
    api.onCreate = (body) => {
      targets = [target('web-a'), target('web-c')];
      const problem = {
        code: 'conflict',
        status: 409,
        message: 'others match by now',
        reason: 'targetsChanged',
        values: { added: 1, missing: 1, names: 'web-c, web-b' },
        applied: 'no',
        requestId: 'req-1',
      };
      return (body.frozen as { name: string }[])[1]?.name === 'web-b' && body.dryRun === false
        ? { status: 409, body: problem }
        : { body: receiptOf(body) };
    };
    const { user } = await openPlan();
    await user.click(step('Change'));
    set(await screen.findByLabelText('Image'), 'code:v2');
    await user.click(step('Review'));
    await screen.findByText('Others match by now');
    expect(screen.getByText('web-c')).toBeTruthy();
    expect(start().getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Take the new list' }));
    await enabled();
    expect(api.writes()).toEqual([]);
  });
});

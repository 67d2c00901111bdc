// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setUpPage } from '../../testing/set-up-page';
import { planUpgrade } from './hand-over';
import { fakeApi, openPlan, previewOf, set, step, template } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/upgrades/new' }));
vi.mock('../../shell/scope', () => ({ useScope: () => ({ namespaces: [] }) }));
vi.mock('../../writes/yaml-editor', () => import('../../testing/yaml-editor'));
vi.setConfig({ testTimeout: 60_000 });

setUpPage();
beforeEach(() => sessionStorage.clear());

const yaml = () =>
  screen.findByLabelText<HTMLTextAreaElement>('Strategic merge patch as YAML', { selector: 'textarea' });
const openChange = async (options = {}) => {
  const view = await openPlan(options);
  await view.user.click(step('Change'));
  return view;
};

describe('the change of an upgrade', () => {
  it('is one patch, as fields and as YAML', async () => {
    const api = fakeApi();
    const { user } = await openChange();
    set(await screen.findByLabelText('Image'), 'code:v2');
    set(screen.getByLabelText('CPU limit'), '2');
    await user.type(screen.getByLabelText('Variable of main'), 'MODE{Enter}');
    expect(screen.getByLabelText('Value of MODE')).toHaveProperty('value', 'dev');
    set(screen.getByLabelText('Value of MODE'), 'fast');
    await user.type(screen.getByLabelText('Mount path in main'), '/data');
    await user.click(screen.getAllByRole('button', { name: 'Take away' })[1] ?? document.body);
    await user.type(screen.getByLabelText('Volume'), 'scratch{Enter}');
    set(screen.getByLabelText('Source of scratch'), '1Gi');
    await user.click(screen.getByRole('radio', { name: 'YAML' }));
    expect((await yaml()).value).toBe(
      [
        'spec:',
        '  containers:',
        '    - name: main',
        '      image: code:v2',
        '      resources:',
        '        limits:',
        '          cpu: "2"',
        '      env:',
        '        - name: MODE',
        '          value: fast',
        '          valueFrom: null',
        '      volumeMounts:',
        '        - mountPath: /data',
        '          $patch: delete',
        '  volumes:',
        '    - $retainKeys:',
        '        - name',
        '        - emptyDir',
        '      name: scratch',
        '      emptyDir:',
        '        sizeLimit: 1Gi',
        '',
      ].join('\n'),
    );
    set(await yaml(), 'spec:\n  containers:\n    - name: main\n      image: code:v3\n  hostname: x\n');
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    expect(screen.getByLabelText('Image')).toHaveProperty('value', 'code:v3');
    expect(screen.getByText('Also in the YAML: spec.hostname')).toBeTruthy();
    await waitFor(() =>
      expect(api.previews().at(-1)?.body.change).toEqual({
        by: 'patch',
        patch: { spec: { containers: [{ name: 'main', image: 'code:v3' }], hostname: 'x' } },
      }),
    );
  });

  it('names the line that is not right, keeps the text, and stays in the YAML view', async () => {
    fakeApi();
    const { user } = await openChange();
    await user.click(await screen.findByRole('radio', { name: 'YAML' }));
    set(await yaml(), 'spec:\n  containers: {main: {}}\n');
    expect((await screen.findByRole('alert')).textContent).toContain('Line 2: spec.containers');
    expect(screen.getByText('Shown when the YAML is right.')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    expect((await yaml()).value).toBe('spec:\n  containers: {main: {}}\n');
  });

  it('does not leave the YAML under the hands of who types, whatever was pressed while it was broken', async () => {
    fakeApi();
    const { user } = await openChange();
    await user.click(await screen.findByRole('radio', { name: 'YAML' }));
    set(await yaml(), 'spec:\n  containers: [');
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    expect((await screen.findByText(/^The YAML is not right yet: fields/)).getAttribute('role')).toBe('alert');
    set(await yaml(), 'spec:\n  hostname: x\n');
    expect(screen.getByRole('radio', { name: 'YAML' }).getAttribute('aria-checked')).toBe('true');
    set(await yaml(), '');
    expect(screen.getByRole('radio', { name: 'YAML' }).getAttribute('aria-checked')).toBe('true');
    expect(screen.queryByText(/^The YAML is not right yet: fields/)).toBeNull();
  });

  it('stays in the YAML that a draft was left broken in, once it is right', async () => {
    fakeApi();
    const first = await openChange();
    await first.user.click(await screen.findByRole('radio', { name: 'YAML' }));
    set(await yaml(), 'spec: [');
    cleanup();
    await openPlan({ search: '?step=change' });
    set(await yaml(), 'spec:\n  hostname: x\n');
    expect(screen.getByRole('radio', { name: 'YAML' }).getAttribute('aria-checked')).toBe('true');
  });

  it('names the field and its line in the reader’s language, and the one that was probably meant', async () => {
    fakeApi();
    const { user } = await openChange();
    await user.click(await screen.findByRole('radio', { name: 'YAML' }));
    set(await yaml(), 'spec:\n  container: [{name: main, image: x}]\n');
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^Line 2: spec\.container: A Pod template has no field container here.* Did you mean containers\?$/,
    );
    set(await yaml(), 'apiVersion: v1\nkind: Pod\nspec: {}\n');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/^Line 2: This is a whole Pod\./));
    cleanup();
    await openPlan({ search: '?step=change', locale: 'zh-CN' });
    set(
      await screen.findByLabelText('strategic merge patch 的 YAML', { selector: 'textarea' }),
      'spec:\n  containers: {a: b}\n',
    );
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toBe('第 2 行：spec.containers：此处应为列表；现在是映射。'),
    );
  });

  it('stands with the image there is, to be changed; unchanged or emptied, the patch says nothing of it', async () => {
    const api = fakeApi();
    await openChange();
    const image = await screen.findByLabelText('Image');
    expect(image).toHaveProperty('value', 'code:v1');
    set(image, 'code:v2');
    await waitFor(() => expect(api.previews().at(-1)?.body.change).toMatchObject({ by: 'patch' }));
    set(image, 'code:v1');
    await waitFor(() => expect(api.previews().at(-1)?.body).not.toHaveProperty('change'));
    set(image, '');
    expect(image).toHaveProperty('value', '');
    fireEvent.blur(image);
    expect(image).toHaveProperty('value', 'code:v1');
  });

  it('names the images where they differ, and writes none in their place', async () => {
    const api = fakeApi();
    const group = (key: string, image: string) => ({
      key,
      count: 1,
      sample: key,
      before: template(image),
      after: template(image),
    });
    api.onPreview = () => ({ body: previewOf({ groups: [group('a', 'code:v1'), group('b', 'code:v0')] }) });
    await openChange();
    const image = await screen.findByLabelText('Image');
    expect(image).toHaveProperty('value', '');
    expect(image.getAttribute('placeholder')).toBe('2 different images');
    expect(screen.getByText('now code:v1, code:v0')).toBeTruthy();
    expect(screen.getByText('Nothing changes in 2 sandboxes.')).toBeTruthy();
  });

  it('lets the volume of a new mount be chosen, and says who adds a container', async () => {
    fakeApi();
    const { user } = await openChange();
    await user.type(await screen.findByLabelText('Mount path in main'), '/new{Enter}');
    expect(screen.getByLabelText('Volume mounted at /new')).toHaveProperty('value', '');
    await user.click(screen.getByRole('radio', { name: 'YAML' }));
    set(await yaml(), 'spec:\n  containers: [{name: mian, image: x}]\n');
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    expect(screen.getByText('No template has a container mian: it would be added.')).toBeTruthy();
  });

  it('says what the API server will refuse of the Pods, by field, and stops', async () => {
    const api = fakeApi();
    const fault = {
      path: 'spec.containers[main].resources.requests.cpu',
      code: 'aboveLimit' as const,
      values: { value: '2', limit: '1' },
      message: 'more',
    };
    api.onPreview = () => ({
      body: previewOf({
        problems: [{ code: 'podRefused', weight: 'stops', names: ['web-a'], count: 1, faults: [fault] }],
      }),
    });
    await openChange();
    expect(await screen.findByText('The API server will refuse the Pod of 1 sandbox')).toBeTruthy();
    expect(screen.getByText(/resources\.requests\.cpu: The request 2 is more than the limit 1: lower/)).toBeTruthy();
    expect(step('Change').textContent).toContain('(cannot be started)');
  });

  it('states nothing that it does not know while the server does not answer', async () => {
    const api = fakeApi();
    const problem = { code: 'upstream_unavailable', status: 503, message: 'ECONNREFUSED', requestId: 'r' };
    api.onPreview = () => ({ status: 503, body: problem });
    const { user } = await openChange();
    await user.click(await screen.findByRole('radio', { name: 'YAML' }));
    set(await yaml(), 'spec:\n  containers: [{name: main, image: x}]\n');
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    await screen.findAllByText('Not known now: shown when the server answers.');
    expect(screen.getByLabelText('CPU limit').getAttribute('placeholder')).toBe('not known now');
    expect(screen.queryByText(/it would be added/)).toBeNull();
    expect(screen.getByText('What is taken is not known now')).toBeTruthy();
    await user.click(step('Targets'));
    expect(await screen.findByText('Not known now')).toBeTruthy();
    expect(screen.queryByText('No targets yet')).toBeNull();
  });

  it('refuses an image under CheckpointRestore at the field', async () => {
    fakeApi();
    const { user } = await openChange();
    set(await screen.findByLabelText('Image'), 'code:v2');
    await user.click(step('Safety'));
    await user.click(screen.getByRole('radio', { name: 'CheckpointRestore' }));
    expect(screen.getByText(/^The change sets the image of main/)).toBeTruthy();
    await user.click(step('Change'));
    const image = screen.getByLabelText('Image');
    expect(image.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(image.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent).toMatch(
      /^CheckpointRestore cannot change images/,
    );
  });

  it('never shows a hidden value, and writes none back', async () => {
    fakeApi();
    const { user } = await openChange();
    await user.type(await screen.findByLabelText('Variable of main'), 'API_TOKEN{Enter}');
    expect(screen.getByLabelText('Value of API_TOKEN')).toHaveProperty('value', '');
    expect(localStorage.getItem(localStorage.key(0) ?? '') ?? '').not.toContain('•');
  });

  it('counts sandboxes that change alike together, whoever owns them', async () => {
    const api = fakeApi();
    const owned = (owner: string, image: string) => ({ metadata: { labels: { owner } }, ...template(image) });
    api.onPreview = () => ({
      body: previewOf({
        groups: ['ann', 'bob'].map((owner) => ({
          key: owner,
          count: 1,
          sample: `web-${owner}`,
          before: owned(owner, 'code:v1'),
          after: owned(owner, 'code:v2'),
        })),
      }),
    });
    await openChange();
    expect((await screen.findByText(/sandboxes change like/)).textContent).toBe(
      '2 sandboxes change like web-ann (2 templates, alike in this)',
    );
  });

  it('brings back what stood before without showing a patch that it does not have', async () => {
    const api = fakeApi();
    const href = planUpgrade({
      namespace: 'lab',
      targets: { by: 'selection', sandboxes: [{ uid: 'u-1', name: 'one' }] },
      change: { by: 'restore', operation: { uid: 'op-0', name: 'first' }, group: 'g-1' },
      name: 'back',
    });
    await openChange({ search: href.slice(href.indexOf('?')) });
    expect((await screen.findByText(/^Brings back the templates/)).textContent).toContain('before first');
    await waitFor(() =>
      expect(api.previews().at(-1)?.body).toMatchObject({
        name: 'back',
        change: { by: 'restore', operation: { uid: 'op-0', name: 'first' }, group: 'g-1' },
      }),
    );
  });
});

// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { TemplateDrawer } from './template-drawer';
import { apply, enabled, image, mode, open, reply, set, template } from './writes/template-testing';
import { live, poolRow, receiptOf, renderInConsole, setUpForms } from './writes/testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/pools' }));
vi.mock('@/lib/live', async () => (await import('./writes/testing')).liveMock());
vi.mock('../writes/yaml-editor', () => import('../testing/yaml-editor'));

setUpForms();

describe('TemplateDrawer', () => {
  it('sends what was seen and what is wanted after a dry run, and waits for the generation', async () => {
    const { api, uid, user, rerender } = open();
    set(await image(), 'code:v2');
    await screen.findByText(/Dry run accepted/);
    await user.click(apply());
    await screen.findByText(/Waiting for the watch/);
    expect(api.writes()).toEqual([
      {
        path: '/api/v1/pools/lab/web/template',
        body: { uid, before: template(), change: { by: 'yaml', template: template('code:v2') }, dryRun: false },
      },
    ]);
    rerender({ gen: 2 });
    await screen.findByText(/Observed: generation 2/);
  });

  it('begins with tags in the place of pinned init images when it is opened for that', async () => {
    const digest = `@sha256:${'ab'.repeat(32)}`;
    const pinned = (of: string) => ({
      spec: { ...template().spec, initContainers: [{ name: 'runtime', image: `registry.local/runtime:v1${of}` }] },
    });
    const { api, user } = open({ template: pinned(digest) }, 'en', true);
    await waitFor(() => expect(screen.getByDisplayValue('registry.local/runtime:v1')).toBeTruthy());
    await screen.findByText(/Dry run accepted/);
    await user.click(apply());
    await waitFor(() =>
      expect(api.writes()[0]?.body).toMatchObject({ before: pinned(digest), change: { template: pinned('') } }),
    );
  });

  it('shows one change as fields and as text', async () => {
    const { user } = open();
    set(await image(), 'code:v2');
    await user.click(screen.getByRole('radio', { name: 'YAML' }));
    const text = await screen.findByLabelText('Template as YAML', { selector: 'textarea' });
    expect((text as HTMLTextAreaElement).value).toContain('image: code:v2');
    set(text, 'spec:\n  containers:\n    - name: sandbox\n      image: code:v3\n');
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    expect(await image()).toHaveProperty('value', 'code:v3');
    expect(screen.getByText('3 fields')).toBeTruthy();
  });

  it('names the line of what does not parse, keeps the text, and sends nothing', async () => {
    const { api, user } = open();
    await image();
    await user.click(screen.getByRole('radio', { name: 'YAML' }));
    const text = await screen.findByLabelText('Template as YAML', { selector: 'textarea' });
    set(text, 'spec:\n  containers: [');
    expect((await screen.findByRole('alert')).textContent).toContain('Line 2');
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    expect(text).toHaveProperty('value', 'spec:\n  containers: [');
    await user.click(apply());
    expect(api.sent).toEqual([]);
  });

  it('never shows a hidden value, and leaves it as it is', async () => {
    const { api, user } = open();
    set(await mode(), 'dev2');
    expect(screen.getByLabelText('Value of API_TOKEN')).toHaveProperty('value', '');
    await enabled();
    await user.click(apply());
    await waitFor(() => expect(api.writes()).toHaveLength(1));
    expect(api.writes()[0]?.body.change).toMatchObject({
      template: { spec: { containers: [{ env: [{ value: 'dev2' }, { name: 'API_TOKEN', value: '•••' }] }] } },
    });
  });

  it('keeps edits when the template changes underneath, and carries them over when told to', async () => {
    const { api, user, rerender, reads } = open();
    set(await mode(), 'dev2');
    reads['/objects/sandboxsets/'] = reply({ template: template('code:v9') });
    rerender({ gen: 5 });
    await screen.findByText('The template changed underneath');
    expect(screen.getByText('spec.containers[sandbox].image: code:v1 → code:v9')).toBeTruthy();
    await user.click(apply());
    expect(api.writes()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Continue from the new template' }));
    expect(await image()).toHaveProperty('value', 'code:v9');
    await enabled();
    await user.click(apply());
    await waitFor(() => expect(api.writes()).toHaveLength(1));
    expect(api.writes()[0]?.body).toMatchObject({
      before: template('code:v9'),
      change: { template: { spec: { containers: [{ image: 'code:v9', env: [{ value: 'dev2' }, {}] }] } } },
    });
  });

  it('keeps unsent edits while the form is closed', async () => {
    const { uid, user } = open();
    set(await image(), 'code:v1-rc1');
    cleanup();
    renderInConsole(<TemplateDrawer pool={poolRow({ uid })} onClose={() => undefined} />);
    expect(await image()).toHaveProperty('value', 'code:v1-rc1');
    await user.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(await image()).toHaveProperty('value', 'code:v1');
  });

  it('shows a webhook’s refusal in its words, and loses nothing', async () => {
    const { api } = open();
    api.onPost = () => ({
      status: 502,
      body: {
        code: 'webhook_unreachable',
        status: 502,
        message: 'failed calling webhook "v-sbs.kb.io": context deadline exceeded',
        applied: 'no',
        requestId: 'req-1',
      },
    });
    set(await image(), 'code:v1-rc1');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The dry run was refused');
    expect(alert.textContent).toContain('failed calling webhook "v-sbs.kb.io": context deadline exceeded');
    expect(alert.textContent).toContain('scaling is not checked by it');
    expect(await image()).toHaveProperty('value', 'code:v1-rc1');
  });

  it('stays when the pool is deleted, says since when, keeps what was typed and sends nothing', async () => {
    const { api, uid, user, rerender } = open();
    set(await image(), 'code:v2');
    await screen.findByText(/Dry run accepted/);
    rerender({ uid }, Date.UTC(2026, 10, 30, 14, 2, 11));
    expect(screen.getByText('Gone at 14:02:11 UTC')).toBeTruthy();
    expect(screen.queryByText(/Dry run accepted/)).toBeNull();
    expect(await image()).toHaveProperty('value', 'code:v2');
    await user.click(apply());
    expect(api.writes()).toEqual([]);
  });

  it('asks for a dry run again when the cluster is another, and does not show the answer from before', async () => {
    const cluster = (server: string) => ({
      kinds: [],
      cluster: { name: 'staging', server, embedded: false, missing: [] },
    });
    live.status = { ...live.status, freshness: cluster('https://a') };
    const { api, rerender } = open();
    set(await image(), 'code:v2');
    await screen.findByText(/Dry run accepted/);
    const before = template();
    api.onPost = ({ body }) => ({ body: receiptOf(body, { before, after: before, resourceVersion: '99' }) });
    live.status = { ...live.status, freshness: cluster('https://b') };
    rerender({});
    expect(screen.queryByText(/resourceVersion 88/)).toBeNull();
    await screen.findByText(/resourceVersion 99/);
    expect(api.sent).toHaveLength(2);
  });

  it('has no form for a pool that takes its template from a reference', async () => {
    const spec = { templateRef: { name: 'reef-v2' } };
    const { rerender } = open(spec);
    rerender({ templateRef: 'reef-v2' });
    await screen.findByText('This pool takes its template from SandboxTemplate reef-v2');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Apply template' })).toBeNull();
  });
});

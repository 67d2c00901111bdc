// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { sandbox } from '@/lib/live/testing';
import { apply, image, open, reply, set, template } from './writes/template-testing';
import { live, setUpForms } from './writes/testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/pools' }));
vi.mock('@/lib/live', async () => (await import('./writes/testing')).liveMock());
vi.mock('../writes/yaml-editor', () => import('../testing/yaml-editor'));

setUpForms();

describe('what TemplateDrawer says of a change', () => {
  const changed = () =>
    [...document.querySelectorAll('.write-sides :is(.removed, .added)')].map((cell) =>
      cell.textContent?.replace(/\s+/g, ' '),
    );

  it('shows only what is changed, in whatever order the text has its keys', async () => {
    const { name, image: code, env, resources } = template().spec.containers[0] ?? {};
    const { user } = open({ template: { spec: { containers: [{ resources, image: code, name, env }] } } });
    await image();
    await user.click(screen.getByRole('radio', { name: 'YAML' }));
    const text = await screen.findByLabelText('Template as YAML', { selector: 'textarea' });
    const spec = { containers: [{ env, image: code, name, resources }] };
    set(text, JSON.stringify({ metadata: { labels: { a: 'b' } }, spec }));
    await waitFor(() => expect(changed()).toEqual(['Added: metadata:', 'Added: labels:', 'Added: a: b']));
  });

  it('is no change when a quantity comes back, or is written in another way', async () => {
    const { api } = open();
    const cpu = await screen.findByLabelText('CPU request');
    set(cpu, '4');
    expect(changed()).toEqual(['Removed: cpu: 100m', 'Added: cpu: "4"']);
    set(cpu, '100m');
    expect(changed()).toEqual([]);
    set(cpu, '0.1');
    expect(cpu).toHaveProperty('value', '0.1');
    expect(changed()).toEqual([]);
    expect(apply().getAttribute('aria-disabled')).toBe('true');
    expect(api.sent).toEqual([]);
  });

  it('does not show the change from before while the text is not right, and says why in Chinese too', async () => {
    const { user } = open();
    set(await image(), 'code:v2');
    await user.click(screen.getByRole('radio', { name: 'YAML' }));
    const text = await screen.findByLabelText('Template as YAML', { selector: 'textarea' });
    set(text, 'spec:\n  containers: 3');
    expect(screen.getByText('Line 2: spec.containers has to be a list; it is a number.')).toBeTruthy();
    expect(changed()).toEqual([]);
    expect(screen.getByText(/The YAML is not right yet/)).toBeTruthy();
    cleanup();
    const chinese = open({ template: template() }, 'zh-CN');
    await chinese.user.click(await screen.findByRole('radio', { name: 'YAML' }));
    set(await screen.findByLabelText('以 YAML 表示的模板', { selector: 'textarea' }), 'spec:\n  containers: 3');
    expect(screen.getByText('第 2 行：spec.containers 应为列表，而现在是数字。')).toBeTruthy();
  });

  it('warns of an image that no kubelet pulls, in both views, and sends it only when told to', async () => {
    const { api, user } = open();
    set(await image(), 'UPPER/Case:1');
    expect(screen.getByText(/A repository is written in lower case/)).toBeTruthy();
    await screen.findByText(/Dry run accepted/);
    await user.click(apply());
    expect(api.writes()).toEqual([]);
    await user.click(screen.getByRole('radio', { name: 'YAML' }));
    expect(await screen.findByText(/containers\/sandbox\/image: A repository is written/)).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Apply it all the same' }));
    await user.click(apply());
    await waitFor(() => expect(api.writes()).toHaveLength(1));
  });

  it('tells of a rollout only where members of another revision are left', async () => {
    const member = (name: string, over: object) =>
      sandbox(name, { ns: 'lab', pool: 'web', idle: true, hash: 'r2', state: 'Available', ...over });
    live.sandboxes = [member('a', {}), member('b', { state: 'Creating' })];
    const { rerender } = open();
    rerender({ revision: 'r2' });
    await image();
    expect(screen.queryByText('A rollout is under way')).toBeNull();
    live.sandboxes = [member('a', { hash: 'r1' }), member('b', { state: 'Creating' })];
    rerender({ revision: 'r2' });
    expect(screen.getByText('A rollout is under way')).toBeTruthy();
  });

  it('says of a write whose answer was lost that it is applied, once the pool shows it', async () => {
    const { api, user, reads, rerender } = open();
    const answer = api.onPost;
    api.onPost = (sent) => {
      if (sent.body.dryRun === true) return answer(sent);
      throw new TypeError('network error');
    };
    set(await image(), 'code:v2');
    await screen.findByText(/Dry run accepted/);
    await user.click(apply());
    await screen.findByText('It may have been applied');
    reads['/objects/sandboxsets/'] = reply({ template: template('code:v2') });
    rerender({ gen: 2 });
    await screen.findByText('Applied, as seen in the cluster');
    expect(screen.queryByText('It may have been applied')).toBeNull();
    expect(screen.queryByText('The template changed underneath')).toBeNull();
  });
});

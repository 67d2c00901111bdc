// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { sandbox } from '@/lib/live/testing';
import { setUpPage } from '../../testing/set-up-page';
import { openForm, ready, running } from '../page-testing';
import { handOverKey } from '../plan/hand-over';
import { failedHook, fakeApi, history, wholeOperation } from '../testing';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }), usePathname: () => '/upgrades/demo/november' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));

setUpPage();

const path = '/api/v1/upgrades/demo/november';

describe('roll back', () => {
  it('plans what the sandboxes had before, the done and the failed apart', async () => {
    const template = { spec: { containers: [{ name: 'main', image: 'code:v2' }] } };
    const chosen = (name: string) => ({ uid: name, name });
    const group = {
      key: 'g-1',
      sandboxes: ['a', 'c'].map(chosen),
      before: template,
      after: template,
      inverse: template,
    };
    fakeApi({
      [`${path}/history`]: history({ groups: [group], unknown: [chosen('z')] }),
      '/objects/sandboxupdateops/demo/november': wholeOperation('november'),
    });
    const { dialog, user } = await openForm('rollBack', running(), [
      sandbox('a', { name: 'a', ...failedHook('november') }),
      sandbox('c', { name: 'c', op: 'november', gen: 3, obs: 3, upgraded: true }),
    ]);
    expect(await dialog.findByText('What 1 sandbox had before is not known')).toBeTruthy();
    await user.click(await ready(dialog, 'Plan for the 1 failed…'));
    const id = /draft=(\w+)/.exec(String(push.mock.lastCall?.[0]))?.[1] ?? '';
    expect(JSON.parse(sessionStorage.getItem(handOverKey(id)) ?? 'null')).toMatchObject({
      targets: { by: 'selection', sandboxes: [{ uid: 'a' }] },
      change: { by: 'restore', operation: { uid: 'uid-november', name: 'november' }, group: 'g-1' },
    });
    expect(dialog.getByRole('button', { name: 'Plan for the 1 done…' })).toBeTruthy();
  });

  it('takes those that are held up with the new template, and counts only checkpoints that can be restored', async () => {
    const template = { spec: { containers: [{ name: 'main', image: 'code:v2' }] } };
    const names = ['held', 'saves', 'kept'];
    const sandboxes = names.map((name) => ({ uid: name, name }));
    const group = { key: 'g-1', sandboxes, before: template, after: template, inverse: template };
    const checkpoints = {
      held: { name: 'held-1', phase: 'Succeeded', id: 'cp-1' },
      saves: { name: 'saves-1', phase: '' },
      kept: { name: 'kept-1', phase: 'Succeeded' },
    };
    fakeApi({
      [`${path}/history`]: history({ groups: [group, { ...group, key: 'g-2', sandboxes: [] }], checkpoints }),
      '/objects/sandboxupdateops/demo/november': wholeOperation('november'),
    });
    const { dialog, user } = await openForm('rollBack', running(), [
      sandbox('held', {
        name: 'held',
        ...failedHook('november'),
        stage: 'UpgradePod',
        cause: { code: 'PodCreateFailed', detail: 'Pod "held" is invalid: spec' },
      }),
      sandbox('saves', { name: 'saves', ...failedHook('november'), stage: 'UpgradePod' }),
      sandbox('kept', { name: 'kept', ...failedHook('november'), stage: 'PreUpgradeFailed' }),
    ]);
    expect(await dialog.findByText(/^A checkpoint of 1 sandbox exists/)).toBeTruthy();
    expect(dialog.getByText(/^1 of the failed still has its old Pod, which stays/)).toBeTruthy();
    expect(dialog.getByText(/^They had 2 different templates before/)).toBeTruthy();
    expect(dialog.getByText(/^1 in flight is not among them/)).toBeTruthy();
    await user.click(await ready(dialog, 'Plan for the 1 held up…'));
    const id = /draft=(\w+)/.exec(String(push.mock.lastCall?.[0]))?.[1] ?? '';
    expect(JSON.parse(sessionStorage.getItem(handOverKey(id)) ?? 'null')).toMatchObject({
      targets: { by: 'selection', sandboxes: [{ uid: 'held' }] },
    });
  });
});

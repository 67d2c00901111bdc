// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '@/lib/contracts/problem';
import { renderInConsole } from '../pools/writes/testing';
import { WriteError } from './api';
import { ProblemNote } from './problem-note';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/pools' }));
vi.mock('@/lib/live', async () => (await import('../pools/writes/testing')).liveMock());
afterEach(cleanup);

const refused = (over: Partial<Problem>) =>
  new WriteError({
    code: 'conflict',
    status: 409,
    message: 'said in English',
    requestId: 'req-1',
    applied: 'no',
    ...over,
  });
const show = (over: Partial<Problem>, locale: 'en' | 'zh-CN' = 'zh-CN') => {
  renderInConsole(<ProblemNote about="pool" error={refused(over)} />, locale);
  return screen.getByRole('alert').textContent;
};
const replicas = { reason: 'replicasChangedHere', values: { pool: 'web', now: 5, seen: 3, actor: 'mara' } } as const;

describe('ProblemNote', () => {
  it('says what the console refused in the page’s language', () => {
    const text = show(replicas);
    expect(text).toContain('web 现有 5 个副本，而不是 3：已由 mara 通过本控制台修改');
    expect(text).not.toContain('said in English');
    cleanup();
    expect(show(replicas, 'en')).toContain('Pool web has 5 replicas now, not 3: changed by mara through this console');
  });

  it('leaves the API server’s words as they are', () => {
    const fields = [{ field: 'spec.replicas', message: 'Invalid value' }];
    const text = show({ message: 'SandboxSet "web" is invalid: spec.replicas: Invalid value', fields });
    expect(text).toContain('SandboxSet "web" is invalid: spec.replicas: Invalid value');
    expect(text?.match(/Invalid value/g)).toHaveLength(1);
  });

  it('names the fields: the console’s words translated, the cluster’s values not', () => {
    const text = show({
      reason: 'templateChanged',
      values: { pool: 'web', fields: 'a, b', manager: 'kubectl', at: 'none' },
      fields: [
        { field: 'spec.a', message: 'registry.local/code:v3' },
        { field: 'spec.b', message: 'is gone', reason: 'removed' },
      ],
    });
    expect(text).toContain('spec.a: registry.local/code:v3');
    expect(text).toContain('spec.b: 已不存在');
    expect(text).not.toContain('is gone');
  });

  it.each([
    ['dryRun', 'upstream_unavailable', 'The dry run was not answered', 'Ask again when it answers'],
    ['plan', 'upstream_unavailable', 'No answer to what the plan would take', 'Ask again when it answers'],
    ['plan', 'forbidden', 'The server could not work out the plan', 'Ask whoever administers the cluster'],
    ['reading', 'upstream_timeout', 'This could not be read: no answer', 'Ask again when it answers'],
  ] as const)('says of a question what was asked: %s, %s', (asked, code, title, next) => {
    renderInConsole(<ProblemNote about="upgrade" asked={asked} error={refused({ code })} />, 'en');
    const text = screen.getByRole('alert').textContent;
    expect(text).toContain(title);
    expect(text).toContain(next);
    if (asked !== 'dryRun') expect(text).not.toContain('dry run');
  });

  it.each([
    ['pool', 'scaling is not checked by it and still works'],
    ['upgrade', 'no operation can be created or changed'],
  ] as const)('gives the remedy of an unreachable webhook for a %s', (about, remedy) => {
    renderInConsole(<ProblemNote about={about} error={refused({ code: 'webhook_unreachable' })} />, 'en');
    const text = screen.getByRole('alert').textContent ?? '';
    expect(text).toContain(remedy);
    expect(text.includes('scaling')).toBe(about === 'pool');
  });

  it('falls back to the message when a newer console names other values', () => {
    expect(show({ reason: 'noTemplate', values: {} })).toContain('said in English');
  });
});

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
  renderInConsole(<ProblemNote error={refused(over)} />, locale);
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

  it('falls back to the message when a newer console names other values', () => {
    expect(show({ reason: 'noTemplate', values: {} })).toContain('said in English');
  });
});

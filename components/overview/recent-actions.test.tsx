// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderConsole } from '../testing/render-console';
import { RecentActions } from './recent-actions';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('RecentActions', () => {
  it('says why the console refused one in the page’s language, and why the API server did in its words', async () => {
    const action = (id: string, more: object) => ({
      id,
      at: 1,
      actor: 'mara',
      action: 'scalePool',
      object: { kind: 'SandboxSet', namespace: 'lab', name: id },
      summary: '3 → 12',
      result: 'refused',
      ...more,
    });
    const actions = [
      action('own', { message: 'in English', reason: 'noTemplate', values: { pool: 'web' } }),
      action('theirs', { message: 'admission webhook denied the request', others: 1_499 }),
    ];
    vi.stubGlobal('fetch', async () => Response.json({ actions }));
    await renderConsole(<RecentActions />, { locale: 'zh-CN' });
    expect(await screen.findByTitle(/web 没有可修改的模板/)).toBeTruthy();
    expect(screen.getByText(/另外 1,499 个/)).toBeTruthy();
    expect(screen.getByTitle('admission webhook denied the request')).toBeTruthy();
  });

  it('has words for a task, which is no write of an object, and shows what it does not know as it is', async () => {
    const action = (id: string, name: string) => ({
      id,
      at: 1,
      actor: 'mara',
      action: name,
      object: { kind: 'SandboxSet', namespace: 'lab', name: id },
      summary: '158 B · 60 s',
      result: 'accepted',
    });
    const actions = [action('web', 'runTask'), action('other', 'defragment')];
    vi.stubGlobal('fetch', async () => Response.json({ actions }));
    await renderConsole(<RecentActions />, {});
    expect((await screen.findByText(/^Run task on/)).textContent).toContain('web');
    expect(screen.getByText(/^defragment/)).toBeTruthy();
  });
});

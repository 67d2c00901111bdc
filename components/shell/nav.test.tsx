// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Mark } from '@/lib/contracts/triage';
import { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { operation } from '../upgrades/testing';
import { NavList } from './nav';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));
vi.mock('./scope', () => ({ useScope: () => ({ namespaces: [] }) }));
let marks: Mark[] = [];
beforeEach(() => {
  marks = [];
  vi.stubGlobal('fetch', async () => Response.json({ time: Date.now(), store: { state: 'ok' }, marks }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('says of each number what is counted', async () => {
  await renderConsole(<NavList />, {
    rows: {
      sandboxupdateops: [
        operation({ name: 'one', phase: 'Completed' }),
        operation({ name: 'two', phase: 'Updating' }),
        operation({ name: 'three', phase: '' }),
      ],
    },
  });
  const link = screen.getByRole('link', { name: /Upgrades/ });
  expect(link.textContent).toBe('Upgrades2');
  expect(link.title).toBe('Upgrades: 2 not finished');
  expect(screen.getByRole('link', { name: 'Overview' }).title).toBe('Overview');
});

it('leaves out of what is stuck what is put off, and says how many', async () => {
  const stuck = (uid: string, pool: string) =>
    sandbox(uid, {
      name: uid,
      state: 'Resuming',
      phase: 'Resuming',
      pool,
      since: Date.now() - 600_000,
      sinceFrom: 'condition',
    });
  const scope = { ns: 'demo', pool: 'tools' };
  marks = [
    { id: 'm', scope, kind: 'snooze', by: 'mara', at: Date.now(), until: Date.now() + 3_600_000, version: 1 },
    { id: 'n', scope: { ns: 'demo', pool: 'web' }, kind: 'ack', by: 'mara', at: Date.now(), version: 1 },
  ];
  await renderConsole(<NavList />, {
    rows: { sandboxes: [stuck('a', 'tools'), stuck('b', 'tools'), stuck('c', 'web')] },
  });
  await waitFor(() => expect(screen.getByRole('link', { name: /Stuck/ }).title).toBe('Stuck: 1 · 2 put off'));
  expect(screen.getByRole('link', { name: /Stuck/ }).textContent).toBe('Stuck1');
});

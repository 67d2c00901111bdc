// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderConsole } from '../testing/render-console';
import { operation } from '../upgrades/testing';
import { NavList } from './nav';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));
afterEach(cleanup);

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

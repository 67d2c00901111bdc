// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { delta, sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { MembersTab } from './members-tab';
import { pool } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/pools/demo/tools' }));

beforeAll(() => giveElementsSize());
afterEach(cleanup);

const member = (name: string) => sandbox(name, { name, state: 'Available', pool: 'tools', idle: true });

it('says that members came while the pointer rests in the list, and shows them when asked', async () => {
  const { tab } = await renderConsole(<MembersTab pool={pool({ name: 'tools' })} which="idle" />, {
    rows: { sandboxes: [member('one')] },
  });
  await userEvent.hover(screen.getByRole('link', { name: 'one' }));
  await act(async () => tab.stream.send(delta(2, { sandboxes: [member('two')] })));
  await screen.findByText('1 update held');
  expect(screen.queryByRole('link', { name: 'two' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
  await screen.findByRole('link', { name: 'two' });
});

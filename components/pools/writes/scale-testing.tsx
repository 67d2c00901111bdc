import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PoolRow } from '@/lib/contracts/rows';
import { ScaleDrawer } from '../scale-drawer';

export const drawer = (row: PoolRow, goneAt?: number) => (
  <ScaleDrawer pool={row} goneAt={goneAt} onClose={() => undefined} />
);
export const field = () => screen.getByLabelText('Unclaimed sandboxes wanted');
export const button = (name: string | RegExp) => screen.getByRole('button', { name });

export function type(text: string) {
  fireEvent.change(field(), { target: { value: text } });
  return userEvent.setup({ delay: null });
}

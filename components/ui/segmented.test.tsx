// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { Segmented } from './segmented';

afterEach(cleanup);

function Views() {
  const [view, setView] = useState<'form' | 'yaml' | 'diff'>('form');
  return (
    <Segmented
      label="View"
      value={view}
      options={[
        { value: 'form', label: 'Form' },
        { value: 'yaml', label: 'YAML' },
        { value: 'diff', label: 'Diff' },
      ]}
      onChange={setView}
    />
  );
}
const chosen = () => screen.getByRole('radio', { checked: true });

it('is one stop of the Tab key, and its arrows choose', async () => {
  render(<Views />);
  const user = userEvent.setup();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Form' }));
  // Held down until it has acted, as fingers do.
  await user.keyboard('{ArrowRight>}');
  await waitFor(() => expect(chosen()).toBe(screen.getByRole('radio', { name: 'YAML' })));
  expect(document.activeElement).toBe(chosen());
  await user.keyboard('{/ArrowRight}{ArrowRight>}');
  await waitFor(() => expect(chosen()).toBe(screen.getByRole('radio', { name: 'Diff' })));
  await user.keyboard('{/ArrowRight}');
  await user.tab();
  expect(document.activeElement).toBe(document.body);
});

it('is chosen from by pressing', async () => {
  render(<Views />);
  await userEvent.click(screen.getByRole('radio', { name: 'YAML' }));
  expect(chosen()).toBe(screen.getByRole('radio', { name: 'YAML' }));
});

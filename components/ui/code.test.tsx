// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInConsole } from '../pools/writes/testing';
import { Command } from './code';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/' }));
afterEach(cleanup);

it('keeps the lines of a command that has several, as they are', () => {
  const text = "kubectl apply -f - <<'EOF'\nspec:\n  paused: true\nEOF\n";
  renderInConsole(<Command label="The same with kubectl" text={text} />, 'en');
  const lines = [...screen.getByRole('region', { name: 'The same with kubectl' }).children];
  expect(lines.map(({ textContent }) => textContent)).toEqual(text.trimEnd().split('\n'));
  expect(screen.getByRole('button', { name: 'Copy command' })).toBeTruthy();
});

it('leaves a single line selectable as it is', () => {
  renderInConsole(<Command text="kubectl -n lab get sbx" />, 'en');
  expect(document.querySelector('code')?.textContent).toBe('kubectl -n lab get sbx');
});

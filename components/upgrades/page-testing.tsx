import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import type { UpgradeRow } from '@/lib/contracts/rows';
import type { AppLocale } from '@/lib/i18n';
import type { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { handOverKey } from './plan/hand-over';
import { operation } from './testing';
import { UpgradePage } from './upgrade-page';

/** The page of the operation `november` in `demo`. */
export const showPage = (rows: Parameters<typeof renderConsole>[1] & object, locale: AppLocale = 'en') =>
  renderConsole(<UpgradePage ns="demo" name="november" />, { ...rows, locale });

export const rowOf = (name: string) =>
  within(screen.getByRole('grid')).getByRole('link', { name }).closest('tr') ?? document.body;

export const cellOf = (name: string, column: string) =>
  rowOf(name).querySelector(`[data-column="${column}"]`)?.textContent?.trim();

/** Two failed ones take both slots, and fourteen wait. */
export const deadlock = () => operation({ name: 'november', total: 20, updated: 4, failed: 2, maxUnavailable: 2 });

/** What was handed over to the form of a plan, whose address the router was last sent to. */
export function planned(address: unknown) {
  const id = /draft=(\w+)/.exec(String(address))?.[1] ?? '';
  return JSON.parse(sessionStorage.getItem(handOverKey(id)) ?? 'null');
}

/** Half-way, with one failed. */
export const running = (over: Partial<UpgradeRow> = {}) =>
  operation({ name: 'november', total: 10, updated: 3, updating: 2, failed: 1, maxUnavailable: 4, ...over });

/** The page with one of its forms open. */
export async function openForm(form: string, op = running(), sandboxes: ReturnType<typeof sandbox>[] = []) {
  const view = await showPage({ rows: { sandboxupdateops: [op], sandboxes }, search: `?form=${form}` });
  return { ...view, user: userEvent.setup({ delay: null }), dialog: within(await screen.findByRole('dialog')) };
}

/** A button of the form that may be pressed. */
export async function ready(dialog: ReturnType<typeof within>, name: string) {
  const button = await dialog.findByRole('button', { name });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  return button;
}

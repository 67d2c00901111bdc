import type { Locator, Page } from '@playwright/test';

/** A list of the page by its name, also while a drawer covers it. */
export const grid = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('grid', { name, includeHidden: true });

/** The row of one object. */
export const rowOf = (list: Locator, name: string): Locator =>
  list.getByRole('row', { includeHidden: true }).filter({ has: list.page().getByText(name, { exact: true }) });

/** Every row that is drawn, by the head of each column. What stands in several lines is one text with spaces. */
export async function readRows(list: Locator): Promise<Record<string, string>[]> {
  return list.evaluate((table) => {
    const text = (element: Element | undefined) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
    const heads = [...table.querySelectorAll('thead th')].map(text);
    return [...table.querySelectorAll('tbody tr[aria-rowindex]')].map((row) =>
      Object.fromEntries([...row.querySelectorAll('td')].map((cell, index) => [heads[index] ?? '', text(cell)])),
    );
  });
}

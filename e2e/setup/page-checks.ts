import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds against WCAG 2.2 AA: rule and places. */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(wcag22aa).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Errors and warnings of the page from here on, those of hydration and of missing messages included. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return complaints;
}

/** What makes the page, or the part that holds its content, wider than the window: pixels and elements. */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const parts = [document.documentElement, document.querySelector('main')].filter((part) => part !== null);
    const tooWide = Math.max(...parts.map((part) => part.scrollWidth - part.clientWidth));
    if (tooWide <= 0) return [];
    const sticksOut = (element: Element) => element.getBoundingClientRect().right > window.innerWidth + 1;
    const elements = [...document.querySelectorAll('main *')].filter(
      (element) => sticksOut(element) && ![...element.children].some(sticksOut),
    );
    const names = elements.slice(0, 3).map((element) => element.outerHTML.slice(0, 120));
    return [`${tooWide} px too wide: ${names.join(' | ')}`];
  });
}

/** Keys of messages, and places in messages that nothing was put into, as far as they can be read on the page. */
export async function rawMessages(page: Page): Promise<string[]> {
  const text = (await page.locator('body').allInnerTexts()).join('\n');
  const keys =
    /\b(?:shell|common|domain|overview|pools|sandboxes|stuck|tasks|timing|upgrades|writes)\.(?!agents\b)[a-z]+\w*/g;
  return [...(text.match(keys) ?? []), ...(text.match(/\{[a-z]\w*\}/g) ?? [])];
}

/** Nothing is wrong with the page as it stands: accessible, translated, and nowhere too wide. */
export async function sound(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  expect(await rawMessages(page)).toEqual([]);
  expect(await overflow(page)).toEqual([]);
}

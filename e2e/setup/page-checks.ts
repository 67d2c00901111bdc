import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

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

/** How far the page, or what holds its content, is wider than the window, px. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const parts = [document.documentElement, document.querySelector('main')];
    return Math.max(...parts.map((part) => (part ? part.scrollWidth - part.clientWidth : 0)));
  });
}

/** Keys of messages, and places in messages that nothing was put into, as far as they can be read on the page. */
export async function rawMessages(page: Page): Promise<string[]> {
  const text = (await page.locator('body').allInnerTexts()).join('\n');
  const keys = /\b(?:shell|common|domain|overview|pools|sandboxes|stuck|upgrades|writes)\.(?!agents\b)[a-z]+\w*/g;
  return [...(text.match(keys) ?? []), ...(text.match(/\{[a-z]\w*\}/g) ?? [])];
}

import { redactText } from '../redact';
import { cutText, visibleText } from '../text';

const longestCell = 400;

/** Text of an object as one line of Markdown: nothing in it is a link, an image, a tag or a new cell. */
export function cell(value: string): string {
  const line = cutText(visibleText(redactText(value), 'mark'), longestCell);
  return line.replace(/[\\`*[\]<>|#]/g, '\\$&');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

/** A block of text as it is; the fence is longer than any in it. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

import { redactText } from './redact';

/**
 * Text from objects is shown as text, and what would be invisible or would reorder it is made visible:
 * control characters, direction marks, zero-width characters. Nothing here interprets or removes content.
 */

// C0 (tab and line feed are layout, see below), DEL, C1, soft hyphen, zero-width and direction marks, BOM, tags.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be shown
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

/** `lines: 'mark'` shows tab and line feed as → and ↵, for one-line cells; 'keep' leaves them, for blocks. */
export function visibleText(text: string, lines: 'keep' | 'mark' = 'keep'): string {
  const shown = text.replace(hidden, showCharacter);
  return lines === 'keep' ? shown : shown.replaceAll('\n', '↵').replaceAll('\t', '→');
}

function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** At most `max` UTF-16 units, the last being an ellipsis when something was cut; never half a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const last = text.charCodeAt(end - 1);
  const split = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, split ? end - 1 : end)}…`;
}

/**
 * One line of evidence for a row: visible, without credentials, at most 200 characters, the last an ellipsis when
 * anything was cut; undefined when nothing is left.
 */
export function evidence(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const whole = text.trim();
  const start = cutText(whole, 400);
  const shown = visibleText(redactText(start), 'mark');
  // A credential at the cut is masked with its ellipsis.
  const line = cutText(start === whole || shown.endsWith('…') ? shown : `${shown}…`, 200);
  return line === '' ? undefined : line;
}

/** Only http(s) links from objects may become links. */
export function safeLink(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).href;
}

import type { Word } from 'unbash';
import { LIMITS } from '../limits';
import { globSource, matchAll, type Piece } from './pattern';
import { ShellError, unsupported } from './state';

/** Texts, with undefined where one field ends and another begins. */
export function splitFields(text: string, separators: string): (string | undefined)[] {
  const result: (string | undefined)[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const ends = at === text.length;
    if (!ends && !separators.includes(text.charAt(at))) continue;
    if (at > start) result.push(text.slice(start, at));
    if (!ends) result.push(undefined);
    start = at + 1;
  }
  return result;
}

export function removed(value: string, operator: string, pattern: readonly Piece[]): string {
  if (value.length > 4_096) throw unsupported(`\${…${operator}…} of a long text`);
  const lengths = Array.from({ length: value.length + 1 }, (_, at) => at);
  // The short forms try short matches first.
  if (operator.length === 2) lengths.reverse();
  const fromStart = operator.startsWith('#');
  const cut = (length: number) => (fromStart ? value.slice(0, length) : value.slice(value.length - length));
  const fits = matchAll(`^${globSource(pattern)}$`, '', lengths.map(cut));
  const length = lengths[fits.indexOf(true)] ?? 0;
  return fromStart ? value.slice(length) : value.slice(0, value.length - length);
}

/** `a{b,c}{1..3}` as the words that it stands for. */
export function* braces(word: Word): Generator<Word> {
  const at = word.parts?.findIndex((part) => part.type === 'BraceExpansion') ?? -1;
  const part = word.parts?.[at];
  if (!word.parts || part?.type !== 'BraceExpansion') {
    yield word;
    return;
  }
  for (const text of alternatives(part.text)) {
    const literal = { type: 'Literal', pos: part.pos, end: part.end, value: text, text } as const;
    yield* braces({ ...word, parts: [...word.parts.slice(0, at), literal, ...word.parts.slice(at + 1)] });
  }
}

function alternatives(text: string): string[] {
  const inner = text.slice(1, -1);
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    if (Math.abs(to - from) > LIMITS.words) throw new ShellError(`${text}: too many words`, 2, true);
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => String(from < to ? from + step : from - step));
  }
  if (/[{}$`'"\\]/.test(inner) || !inner.includes(',')) throw unsupported(`${text}: this expansion`);
  return inner.split(',');
}

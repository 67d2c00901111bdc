/* biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this is about */

/** The longest text from `lastIndex` on that holds no control character. */
export const printable = /[^\u0000-\u001f\u007f\u009b]+/y;

/** An escape that does not end is no escape. */
const longestEscape = 4_096;

/** What an escape does within its line, as a letter (`m`: colours and styles, `K`: erase) and its parameters. */
export function lineEscape(sequence: string): { end: string; parameters: string } | undefined {
  const [, parameters = '', end] = /^(?:\u001b\[|\u009b)([\d;:]*)([mK])$/.exec(sequence) ?? [];
  return end === undefined ? undefined : { end, parameters };
}

const ends = {
  // Control sequence: parameters, intermediates, one letter.
  csi: /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/y,
  // Strings (title, link, device): up to BEL or ST. Their content is nobody's text.
  string: /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)/y,
  // Two or three characters, such as a character set.
  short: /\u001b[ -/]*[0-~]/y,
};

/** The beginning of a control sequence, as far as it is one. */
const begun = /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,64}/y;

/** The whole escape that begins here; undefined while its end has not come. */
export function escapeAt(text: string, at: number): string | undefined {
  const next = text[at + 1];
  const kind =
    text[at] === '\u009b' || next === '[' ? 'csi' : next !== undefined && ']PX^_'.includes(next) ? 'string' : 'short';
  const pattern = ends[kind];
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  if (found !== undefined) return found;
  const rest = text.length - at;
  if (rest <= longestEscape && canGoOn(kind, text.slice(at))) return undefined;
  // One that is broken off by something else is as long as it came; one whose text does not end is only its sign.
  begun.lastIndex = at;
  return (kind === 'csi' && begun.exec(text)?.[0]) || text.slice(at, at + 1);
}

function canGoOn(kind: keyof typeof ends, rest: string): boolean {
  if (kind === 'csi') return /^(?:\u001b\[?|\u009b)[0-?]*[ -/]*$/.test(rest);
  if (kind === 'string') return /^\u001b[\]PX^_][^\u0007\u001b]*\u001b?$/.test(rest);
  return /^\u001b[ -/]*$/.test(rest);
}

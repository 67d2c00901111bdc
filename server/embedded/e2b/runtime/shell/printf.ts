import { bytesToText } from '../streams';
import { ShellError } from './state';

/** Text as one character a byte. */
const raw = (text: string): string => bytesToText(Buffer.from(text, 'utf8'));

const SIMPLE: Record<string, string> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/**
 * Backslashes as bytes, of `echo -e` and `printf`.
 * @param stop whether `\c` was met: nothing is written after it
 */
export function unescaped(text: string): { text: string; stop: boolean } {
  let stop = false;
  const [before = ''] = text.split(/(?<!\\)(?:\\\\)*\\c/);
  if (before !== text) stop = true;
  const result = before.replace(
    /\\(?:([abeEfnrtv\\])|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|(0?[0-7]{1,3}))/g,
    (_, simple?: string, hex?: string, short?: string, long?: string, octal?: string) => {
      if (simple) return SIMPLE[simple] ?? '';
      if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      const point = Number.parseInt(short ?? long ?? '0', 16);
      return point <= 0x10_ffff ? raw(String.fromCodePoint(point)) : '';
    },
  );
  return { text: result, stop };
}

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

function number(text: string): number {
  const char = /^['"](.)/.exec(text);
  if (char?.[1]) return char[1].charCodeAt(0);
  const value = text.trim() === '' ? 0 : Number(/^0[0-7]+$/.test(text) ? `0o${text.slice(1)}` : text);
  if (Number.isNaN(value)) throw new ShellError(`printf: ${text}: invalid number`);
  return value;
}

function converted(kind: string, flags: string, precision: number | undefined, argument: string): string {
  switch (kind) {
    case 's':
      return precision === undefined ? argument : argument.slice(0, precision);
    case 'c':
      return argument.slice(0, 1);
    case 'q':
      return quote(argument);
    case 'b':
      return unescaped(argument).text;
    case 'd':
    case 'i':
    case 'u': {
      const value = Math.trunc(number(argument));
      const digits = String(Math.abs(value)).padStart(precision ?? 0, '0');
      return (value < 0 ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + digits;
    }
    case 'x':
      return (
        (flags.includes('#') ? '0x' : '') +
        Math.trunc(number(argument))
          .toString(16)
          .padStart(precision ?? 0, '0')
      );
    case 'X':
      return Math.trunc(number(argument))
        .toString(16)
        .toUpperCase()
        .padStart(precision ?? 0, '0');
    case 'o':
      return Math.trunc(number(argument))
        .toString(8)
        .padStart(precision ?? 0, '0');
    case 'e':
      return number(argument)
        .toExponential(precision ?? 6)
        .replace(/e([-+])(\d)$/, 'e$10$2');
    case 'g':
      return String(Number(number(argument).toPrecision(precision || 6)));
    default:
      return (flags.includes('+') && number(argument) >= 0 ? '+' : '') + number(argument).toFixed(precision ?? 6);
  }
}

/** What `printf FORMAT ARG…` writes, one character a byte. */
export function printf(format: string, args: readonly string[]): string {
  const rest = args.map(raw);
  let result = '';
  do {
    const left = rest.length;
    const pattern = /%(?:%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(.?))/g;
    let from = 0;
    const source = raw(format);
    for (const found of source.matchAll(pattern)) {
      const literal = unescaped(source.slice(from, found.index));
      result += literal.text;
      if (literal.stop) return result;
      from = found.index + found[0].length;
      if (found[0] === '%%') {
        result += '%';
        continue;
      }
      const [, flags = '', widthText, precisionText, kind = ''] = found;
      if (!'sdiuxXofFegcbq'.includes(kind) || kind === '')
        throw new ShellError(`printf: \`${kind}': invalid format character`);
      const width = Number(widthText === '*' ? rest.shift() : (widthText ?? 0));
      const precision =
        precisionText === undefined ? undefined : Number(precisionText === '*' ? rest.shift() : precisionText);
      if (width > 100_000 || (precision ?? 0) > 100) throw new ShellError('printf: field too wide');
      const text = converted(kind, flags, precision, rest.shift() ?? '');
      if (flags.includes('-')) result += text.padEnd(width);
      else if (flags.includes('0') && !'scbq'.includes(kind)) {
        const sign = /^[-+ ]/.exec(text)?.[0] ?? '';
        result += sign + text.slice(sign.length).padStart(width - sign.length, '0');
      } else result += text.padStart(width);
    }
    const literal = unescaped(source.slice(from));
    result += literal.text;
    if (literal.stop) return result;
    // A format that takes nothing is written once.
    if (rest.length === left) break;
  } while (rest.length > 0);
  return result;
}

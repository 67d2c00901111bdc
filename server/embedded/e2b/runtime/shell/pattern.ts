import { readdir } from 'node:fs/promises';
import path from 'node:path';
import vm from 'node:vm';
import type { Folder } from '../folder';
import { LIMITS } from '../limits';
import { ShellError } from './state';

/** A piece of a word: quoted pieces stand for themselves. */
export interface Piece {
  readonly text: string;
  readonly quoted: boolean;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The regular expression (without anchors) of a glob pattern. */
export function globSource(pieces: readonly Piece[], star = '[^]*'): string {
  let source = '';
  for (const { text, quoted } of pieces) {
    if (quoted) {
      source += escaped(text);
      continue;
    }
    for (let at = 0; at < text.length; at += 1) {
      const char = text.charAt(at);
      const set = char === '[' ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(text.slice(at)) : null;
      if (set) {
        const body = (set[2] ?? '').replace(/\[:(\w+):\]?/g, (_, name: string) => CLASSES[name] ?? '');
        source += `[${set[1] ? '^' : ''}${body.replace(/[\\\]^]/g, '\\$&')}]`;
        at += set[0].length - 1;
      } else if (char === '*') source += star;
      else if (char === '?') source += star === '[^]*' ? '[^]' : '[^/]';
      else source += escaped(char);
    }
  }
  return source;
}

const CLASSES: Record<string, string> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: ' \t\n\r\f\v',
  punct: '!-/:-@[-`{-~',
};

/** Runs one piece of code with regular expressions in limited time: a pattern of the user may take for ever. */
function inTime<T>(code: string, given: Record<string, unknown>): T {
  try {
    return vm.runInNewContext(code, { ...given }, { timeout: LIMITS.regexMs });
  } catch (error) {
    const invalid = error instanceof Error && error.name === 'SyntaxError';
    throw new ShellError(invalid ? 'Invalid regular expression' : 'the pattern takes too long');
  }
}

/** Which of many texts match. */
export function matchAll(source: string, flags: string, texts: readonly string[]): boolean[] {
  const code = 'const re = new RegExp(source, flags); JSON.stringify(texts.map((text) => re.test(text)))';
  return JSON.parse(inTime<string>(code, { source, flags, texts }));
}

export function replacePattern(text: string, source: string, flags: string, replacement: string): string {
  const code = 'text.replace(new RegExp(source, flags), () => replacement)';
  return inTime<string>(code, { text, source, flags, replacement });
}

export function matches(text: string, pieces: readonly Piece[]): boolean {
  return matchAll(`^${globSource(pieces)}$`, '', [text])[0] ?? false;
}

/** The paths that a pattern stands for, sorted; none when nothing fits. */
export async function glob(folder: Folder, cwd: string, pieces: readonly Piece[]): Promise<string[]> {
  const segments = splitSegments(pieces);
  const absolute = segments.length > 1 && segments[0]?.every((piece) => piece.text === '');
  let found = [absolute ? '/' : ''];
  for (const segment of absolute ? segments.slice(1) : segments) {
    const text = segment.map((piece) => piece.text).join('');
    const isPattern = segment.some((piece) => !piece.quoted && /[*?[]/.test(piece.text));
    const next: string[] = [];
    for (const base of found) {
      if (!isPattern) {
        const candidate = base + text;
        const exists = await folder.stat(folder.resolve(cwd, candidate)).catch(() => undefined);
        if (exists || text === '') next.push(candidate);
        continue;
      }
      const names = await readdir(await folder.real(folder.resolve(cwd, base || '.'))).catch(() => []);
      const visible = names.filter((name) => text.startsWith('.') || !name.startsWith('.')).sort();
      const fits = matchAll(`^${globSource(segment, '[^/]*')}$`, '', visible);
      next.push(...visible.filter((_, at) => fits[at]).map((name) => base + name));
    }
    found = next.map((name) => `${name}/`);
  }
  return found.map((name) => (name === '/' ? name : name.slice(0, -1))).map((name) => path.posix.join(name, ''));
}

function splitSegments(pieces: readonly Piece[]): Piece[][] {
  const segments: Piece[][] = [[]];
  for (const { text, quoted } of pieces) {
    text.split('/').forEach((part, at) => {
      if (at > 0) segments.push([]);
      segments.at(-1)?.push({ text: part, quoted });
    });
  }
  return segments;
}

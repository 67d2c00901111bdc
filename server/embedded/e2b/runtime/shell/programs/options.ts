import type { Run } from '../state';

/** Thrown for what a program cannot do; shown as is. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly status = 1,
  ) {
    super(message);
  }
}

interface Options {
  /** Letters that were given. */
  readonly has: (letter: string) => boolean;
  /** Values of letters that take one. */
  readonly value: (letter: string) => string | undefined;
  readonly rest: string[];
}

/**
 * Reads options as the programs of GNU do: `-la`, `-n 5`, `-n5`, `--name`, `--name=value`, `--`.
 * @param flags letters; those before a colon take a value: `'n:q'`
 * @param long long names and the letter that they stand for
 * @throws UsageError for anything else: what is not understood is not ignored
 */
export function readOptions(run: Run, flags: string, long: Readonly<Record<string, string>> = {}, status = 1): Options {
  const found = new Map<string, string>();
  const rest: string[] = [];
  const words = [...run.args];
  const isKnown = (letter: string) => letter !== ':' && flags.includes(letter);
  const takesValue = (letter: string) => flags[flags.indexOf(letter) + 1] === ':';
  const hint = `\nTry '${run.name} --help' for more information.`;
  const next = (letter: string): string => {
    const value = words.shift();
    if (value === undefined)
      throw new UsageError(`${run.name}: option requires an argument -- '${letter}'${hint}`, status);
    return value;
  };
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '--') {
      rest.push(...words);
      break;
    }
    if (word.startsWith('--')) {
      const [name = '', value] = word.slice(2).split(/=(.*)/s);
      const letter = long[name];
      if (letter === undefined) throw new UsageError(`${run.name}: unrecognized option '${word}'${hint}`, status);
      found.set(letter, takesValue(letter) ? (value ?? next(letter)) : '');
      continue;
    }
    if (!word.startsWith('-') || word === '-') {
      rest.push(word);
      continue;
    }
    for (let at = 1; at < word.length; at += 1) {
      const letter = word.charAt(at);
      if (!isKnown(letter)) throw new UsageError(`${run.name}: invalid option -- '${letter}'${hint}`, status);
      if (takesValue(letter)) {
        found.set(letter, word.slice(at + 1) || next(letter));
        break;
      }
      found.set(letter, '');
    }
  }
  return { has: (letter) => found.has(letter), value: (letter) => found.get(letter), rest };
}

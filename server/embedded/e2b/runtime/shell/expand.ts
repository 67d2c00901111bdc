import type { CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from 'unbash';
import { homeOf } from '../folder';
import { LIMITS } from '../limits';
import { calculate } from './arithmetic';
import { braces, removed, splitFields } from './fields';
import { requireRoom } from './held';
import { glob, globSource, type Piece, replacePattern } from './pattern';
import { getVar, type Shell, ShellError, setVar, unsupported } from './state';

/** Runs `$(…)`: its output. */
export type Substitute = (part: CommandExpansionPart) => Promise<string>;

/** Expands words in one shell, in the order of bash: parameters and commands, splitting, paths. */
export class Expander {
  constructor(
    private readonly shell: Shell,
    private readonly substitute: Substitute,
  ) {}

  /** The arguments that these words stand for. */
  async words(words: readonly Word[]): Promise<string[]> {
    const result: string[] = [];
    let characters = 0;
    for (const word of words) {
      for (const alternative of braces(word)) {
        for (const field of await this.fields(alternative)) {
          const isPattern = field.some((piece) => !piece.quoted && /[*?[]/.test(piece.text));
          const found = isPattern ? await glob(this.shell.machine.folder, this.shell.cwd, field) : [];
          for (const text of found.length > 0 ? found : [field.map((piece) => piece.text).join('')]) {
            result.push(text);
            characters += text.length;
          }
          requireRoom(characters);
        }
        if (result.length > LIMITS.words) throw new ShellError('too many words', 2, true);
      }
    }
    return result;
  }

  /** One text, neither split nor matched with paths: assignments, redirections, `case`. */
  async text(word: Word): Promise<string> {
    return (await this.pieces(word)).map((piece) => piece.text).join('');
  }

  /** The same, with what is quoted kept apart: patterns. */
  async pieces(word: Word): Promise<Piece[]> {
    return word.parts
      ? this.partPieces(word.parts, word.text)
      : [this.tilde({ text: word.value, quoted: true }, word.text)];
  }

  async parts(parts: readonly WordPart[]): Promise<string> {
    return (await this.partPieces(parts, '')).map((piece) => piece.text).join('');
  }

  number(node: Parameters<typeof calculate>[1]): Promise<bigint> {
    return calculate(this.shell, node, (parts) => this.parts(parts));
  }

  private tilde(piece: Piece, source: string): Piece {
    const home = /^~(?=\/|$)/.test(source) ? (getVar(this.shell, 'HOME') ?? homeOf(this.shell.user)) : undefined;
    return home === undefined ? piece : { ...piece, text: home + piece.text.slice(1) };
  }

  private async partPieces(parts: readonly WordPart[], source: string): Promise<Piece[]> {
    const pieces: Piece[] = [];
    for (const [at, part] of parts.entries()) {
      for (const piece of await this.part(part)) {
        const text = Array.isArray(piece.text) ? piece.text.join(' ') : piece.text;
        pieces.push(at === 0 ? this.tilde({ ...piece, text }, source) : { ...piece, text });
      }
    }
    return pieces;
  }

  private async fields(word: Word): Promise<Piece[][]> {
    if (!word.parts) return [[this.tilde({ text: word.value, quoted: true }, word.text)]];
    const fields: Piece[][] = [];
    let field: Piece[] | undefined;
    const add = (piece: Piece) => {
      field ??= [];
      field.push(piece);
    };
    const next = () => {
      if (field) fields.push(field);
      field = undefined;
    };
    for (const [at, part] of word.parts.entries()) {
      for (const piece of await this.part(part)) {
        if (Array.isArray(piece.text)) {
          piece.text.forEach((text, index) => {
            if (index > 0) next();
            add({ text, quoted: true });
          });
        } else if (piece.split) {
          const separators = getVar(this.shell, 'IFS') ?? ' \t\n';
          for (const run of splitFields(piece.text, separators)) {
            if (run === undefined) next();
            else add({ text: run, quoted: false });
          }
        } else {
          add(at === 0 ? this.tilde({ ...piece, text: piece.text }, word.text) : { ...piece, text: piece.text });
        }
      }
    }
    next();
    return fields;
  }

  /** `text` as a list is `"$@"`: as many words. */
  private async part(part: WordPart): Promise<{ text: string | string[]; quoted: boolean; split?: boolean }[]> {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return [{ text: part.value, quoted: true }];
      case 'Glob':
        return [{ text: part.kind === 'bracket' ? part.text : part.value, quoted: false }];
      case 'LocaleString':
      case 'DoubleQuoted': {
        const inner = [];
        for (const child of part.parts) inner.push(...(await this.part(child)));
        // An empty pair of quotes is a word, too; but not `"$@"` without parameters.
        if (inner.length === 0) return [{ text: '', quoted: true }];
        return inner.map((piece) => ({ ...piece, quoted: true, split: false }));
      }
      case 'SimpleExpansion': {
        const name = part.text.slice(1);
        if (name === '@') return [{ text: [...this.shell.params], quoted: true }];
        return [{ text: this.parameter(name) ?? '', quoted: false, split: true }];
      }
      case 'ParameterExpansion':
        if (part.parameter === '@' && !part.operation && !part.prefix)
          return [{ text: [...this.shell.params], quoted: true }];
        return [{ text: await this.expansion(part), quoted: false, split: true }];
      case 'CommandExpansion':
        return [{ text: await this.substitute(part), quoted: false, split: true }];
      case 'ArithmeticExpansion':
        return [{ text: String(await this.number(part.expression)), quoted: false, split: true }];
      case 'BraceExpansion':
        return [{ text: part.text, quoted: true }];
      case 'ProcessSubstitution':
        throw unsupported('process substitution');
      case 'ExtendedGlob':
        throw unsupported('extended pattern');
    }
  }

  private parameter(name: string): string | undefined {
    const { shell } = this;
    switch (name) {
      case '?':
        return String(shell.status);
      case '$':
        return String(shell.process.pid);
      case '!':
        return shell.jobs.at(-1)?.process.pid.toString();
      case '#':
        return String(shell.params.length);
      case '*':
      case '@':
        return shell.params.join(' ');
      case '0':
        return shell.name;
      case '-':
        return `hB${shell.errexit ? 'e' : ''}c`;
      case 'RANDOM':
        return String(Math.floor(Math.random() * 32_768));
    }
    return /^\d+$/.test(name) ? shell.params[Number(name) - 1] : getVar(shell, name);
  }

  private async expansion(part: ParameterExpansionPart): Promise<string> {
    if (part.index || part.prefix === '!') throw unsupported(`${part.text}: this expansion`);
    const value = this.parameter(part.parameter);
    if (part.prefix === '#') return String([...(value ?? '')].length);
    const { operation } = part;
    if (!operation) return value ?? '';
    switch (operation.type) {
      case 'Default': {
        const missing = value === undefined || (operation.operator.startsWith(':') && value === '');
        const kind = operation.operator.at(-1);
        if (kind === '+') return missing ? '' : this.text(operation.operand);
        if (!missing) return value;
        const other = await this.text(operation.operand);
        if (kind === '=') setVar(this.shell, part.parameter, other);
        if (kind === '?') throw new ShellError(`${part.parameter}: ${other || 'parameter null or not set'}`, 127);
        return other;
      }
      case 'Remove':
        return removed(value ?? '', operation.operator, await this.pieces(operation.operand));
      case 'Replace': {
        const source = globSource(await this.pieces(operation.pattern));
        const anchored = { '/': source, '//': source, '/#': `^${source}`, '/%': `${source}$` }[operation.operator];
        const replacement = await this.text(operation.replacement);
        return replacePattern(value ?? '', anchored, operation.operator === '//' ? 'g' : '', replacement);
      }
      case 'Slice': {
        const text = [...(value ?? '')];
        const from = Number(await this.text(operation.offset));
        const count = operation.length ? Number(await this.text(operation.length)) : text.length;
        if (!Number.isInteger(from) || !Number.isInteger(count)) throw unsupported(`${part.text}: this expansion`);
        const start = from < 0 ? text.length + from : from;
        return text.slice(start, count < 0 ? count : start + count).join('');
      }
      case 'CaseModification': {
        if (operation.operand) throw unsupported(`${part.text}: this expansion`);
        const change = (text: string) => (operation.operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase());
        const text = value ?? '';
        return operation.operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
      }
      default:
        throw unsupported(`${part.text}: this expansion`);
    }
  }
}

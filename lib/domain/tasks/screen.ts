import { escapeAt, lineEscape, printable } from './escapes';
import { type Line, OpenLine, type Stream } from './open-line';
import { type Look, plain, selectGraphics } from './sgr';

const isAscii = /^[ -~]*$/;
/** So wide is the terminal: what goes on longer goes on in the next line, and is drawn without stopping the page. */
const columns = 4_096;
const tabStop = 8;
/** Kept at most; what came before is dropped, and counted. */
const keptLines = 5_000;
const keptCharacters = 256 * 1024;

type Pen = { look: Look; begun: string; line: OpenLine | undefined };

/**
 * What a command printed, as lines: colours and styles are kept, carriage return, backspace and "erase in line" work within
 * their line, tabs are columns, every other escape is taken out. Each stream writes on lines of its own, so that neither
 * breaks what the other has begun. Text may come cut anywhere.
 */
export class Screen {
  #lines: (Line | OpenLine)[] = [];
  #count = 0;
  #characters = 0;
  #pens: Record<Stream, Pen> = {
    out: { look: plain, begun: '', line: undefined },
    err: { look: plain, begun: '', line: undefined },
  };

  /** Lines that are kept no more. */
  get dropped(): number {
    return this.#count - this.#lines.length;
  }

  lines(): Line[] {
    return this.#lines.map((line) => (line instanceof OpenLine ? line.line() : line));
  }

  write(stream: Stream, text: string): void {
    const pen = this.#pens[stream];
    const rest = pen.begun + text;
    pen.begun = '';
    let at = 0;
    while (at < rest.length) {
      printable.lastIndex = at;
      const words = printable.exec(rest)?.[0];
      if (words !== undefined) {
        this.#print(stream, pen, words);
        at += words.length;
        continue;
      }
      const sign = rest[at] ?? '';
      if (sign !== '\u001b' && sign !== '\u009b') {
        this.#control(stream, pen, sign);
        at++;
        continue;
      }
      const sequence = escapeAt(rest, at);
      if (sequence === undefined) {
        pen.begun = rest.slice(at);
        break;
      }
      this.#obey(pen, sequence);
      at += sequence.length;
    }
    this.#drop();
  }

  #obey(pen: Pen, sequence: string): void {
    const { end, parameters = '' } = lineEscape(sequence) ?? {};
    if (end === 'm') pen.look = selectGraphics(pen.look, parameters);
    if (end !== 'K' || !pen.line) return;
    const before = pen.line.length;
    pen.line.erase(Number(parameters));
    this.#characters += pen.line.length - before;
  }

  #control(stream: Stream, pen: Pen, sign: string): void {
    if (sign === '\n') {
      this.#finish(pen, this.#lineOf(stream, pen));
    } else if (sign === '\r') {
      if (pen.line) pen.line.at = 0;
    } else if (sign === '\b') {
      if (pen.line) pen.line.at = Math.max(0, pen.line.at - 1);
    } else if (sign === '\t') {
      const { at } = this.#lineOf(stream, pen);
      this.#print(stream, pen, ' '.repeat(tabStop - (at % tabStop)));
    }
  }

  #print(stream: Stream, pen: Pen, words: string): void {
    const characters = isAscii.test(words) ? words : Array.from(words);
    for (let from = 0; from < characters.length; ) {
      let line = this.#lineOf(stream, pen);
      if (line.at >= columns) {
        this.#finish(pen, line);
        line = this.#lineOf(stream, pen);
      }
      const part = characters.slice(from, from + columns - line.at);
      const before = line.length;
      line.put(typeof part === 'string' ? part : part.join(''), part.length, pen.look);
      this.#characters += line.length - before;
      from += part.length;
    }
  }

  #lineOf(stream: Stream, pen: Pen): OpenLine {
    if (pen.line) return pen.line;
    const line = new OpenLine(this.#count, stream);
    this.#count++;
    this.#lines.push(line);
    pen.line = line;
    return line;
  }

  #finish(pen: Pen, line: OpenLine): void {
    pen.line = undefined;
    const at = line.n - this.dropped;
    // Drawn once: from here on it is text, and not one entry a character.
    if (at >= 0) this.#lines[at] = line.line();
    if (this.#lines.length > keptLines * 2) this.#drop();
  }

  #drop(): void {
    let most = 0;
    let characters = this.#characters;
    while (most < this.#lines.length - 1 && (this.#lines.length - most > keptLines || characters > keptCharacters)) {
      const line = this.#lines[most];
      if (line) characters -= lengthOf(line);
      most++;
    }
    if (most === 0) return;
    this.#characters = characters;
    const first = this.dropped + most;
    this.#lines.splice(0, most);
    for (const pen of Object.values(this.#pens)) if (pen.line && pen.line.n < first) pen.line = undefined;
  }
}

const lengthOf = (line: Line | OpenLine): number =>
  line instanceof OpenLine ? line.length : line.runs.reduce((sum, { text }) => sum + text.length, 0);

import type { OutputChunk } from '@/lib/contracts/tasks';
import { type Look, plain } from './sgr';

export type Stream = OutputChunk['stream'];
export type Run = { text: string; look: Look };
/** `n` counts from the first line that was printed. The same object as long as nothing of it changes. */
export type Line = { n: number; stream: Stream; runs: readonly Run[] };

/** A line that can still change. Places and lengths are characters, not UTF-16 units. */
export class OpenLine {
  readonly n: number;
  readonly stream: Stream;
  #runs: Run[] = [];
  #drawn: Line | undefined;
  length = 0;
  at = 0;

  constructor(n: number, stream: Stream) {
    this.n = n;
    this.stream = stream;
  }

  /** Writes over what is there, and on at its end. */
  put(text: string, count: number, look: Look): void {
    this.#drawn = undefined;
    const end = this.at + count;
    if (this.at === this.length) {
      const last = this.#runs.at(-1);
      if (last?.look === look) last.text += text;
      else this.#runs.push({ text, look });
    } else {
      this.#runs = joined([...this.#cells(0, this.at), { text, look }, ...this.#cells(end, this.length)]);
    }
    this.at = end;
    this.length = Math.max(this.length, end);
  }

  /** 0: from here to the end, 1: up to here, 2: all of it. */
  erase(which: number): void {
    this.#drawn = undefined;
    if (which === 1) {
      const until = Math.min(this.at + 1, this.length);
      this.#runs = joined([{ text: ' '.repeat(until), look: plain }, ...this.#cells(until, this.length)]);
      return;
    }
    // What was here before stays a blank: the next character does not move to the left.
    this.#runs = which === 0 ? joined(this.#cells(0, this.at)) : joined([{ text: ' '.repeat(this.at), look: plain }]);
    this.length = this.at;
  }

  #cells(from: number, to: number): Run[] {
    const cells = this.#runs.flatMap(({ text, look }) => Array.from(text, (character) => ({ text: character, look })));
    return cells.slice(from, to);
  }

  line(): Line {
    this.#drawn ??= { n: this.n, stream: this.stream, runs: this.#runs.map((run) => ({ ...run })) };
    return this.#drawn;
  }
}

function joined(runs: readonly Run[]): Run[] {
  const whole: Run[] = [];
  for (const { text, look } of runs) {
    const last = whole.at(-1);
    if (text === '') continue;
    if (last?.look === look) last.text += text;
    else whole.push({ text, look });
  }
  return whole;
}

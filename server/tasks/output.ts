import 'server-only';
import { type OutputChunk, outputTailBytes, taskLimits } from '@/lib/contracts/tasks';
import { Redactor } from './redactor';

/** Text of one stream that comes faster is told together; the first is told at once. */
const gatherMs = 40;
const largestChunk = 32 * 1024;

type Stream = OutputChunk['stream'];

const bytesOf = (text: string) => Buffer.byteLength(text);

/** Pieces of at most `largestChunk` characters, no character cut. */
function pieces(text: string): string[] {
  const all: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + largestChunk, text.length);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last < 0xdc00) to -= 1;
    all.push(text.slice(from, to));
    from = to;
  }
  return all;
}

export type Counts = { chunks: number; outBytes: number; errBytes: number };

/** What a task prints: without secrets, gathered into chunks, counted, and the end of it at hand. */
export class Output {
  readonly counts: Counts;
  #redactors: Record<Stream, Redactor>;
  #pending: { stream: Stream; text: string; at: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #tail: OutputChunk[] = [];
  #tailBytes = 0;
  #told: (chunks: OutputChunk[]) => void;
  #now: () => number;
  #startedAt: number;

  /**
   * @param counts of what was told before, by another process, and `tail` its end
   * @param told gets every chunk once, in order
   * @param startedAt the chunks' times count from here
   */
  constructor(
    counts: Counts,
    secrets: readonly string[],
    told: (chunks: OutputChunk[]) => void,
    startedAt: number,
    now: () => number,
    tail: readonly OutputChunk[] = [],
  ) {
    this.counts = counts;
    this.#keep(tail);
    this.#redactors = { out: new Redactor(secrets), err: new Redactor(secrets) };
    this.#told = told;
    this.#startedAt = startedAt;
    this.#now = now;
  }

  get isRedacted(): boolean {
    return this.#redactors.out.found || this.#redactors.err.found;
  }

  /** False when it is more than is kept: the text is not taken. */
  take(stream: Stream, text: string): boolean {
    const clean = this.#redactors[stream].take(text);
    if (this.counts.outBytes + this.counts.errBytes + bytesOf(clean) > taskLimits.outputBytes) return false;
    this.#add(stream, clean);
    if (this.#now() - this.#toldAt >= gatherMs) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), gatherMs);
    return true;
  }

  /** Tells what waits, and what was held back as the beginning of a secret. */
  end(): void {
    for (const stream of ['out', 'err'] as const) this.#add(stream, this.#redactors[stream].end());
    this.flush();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    this.#toldAt = this.#now();
    const chunks = this.#pending
      .flatMap(({ stream, text, at }) => pieces(text).map((piece) => ({ stream, text: piece, at })))
      .map((piece) => ({ seq: this.counts.chunks++, ...piece }));
    this.#pending = [];
    this.#keep(chunks);
    this.#told(chunks);
  }

  /** Chunks after `seq` that are at hand: the end of it. */
  after(seq: number): OutputChunk[] {
    return this.#tail.filter((chunk) => chunk.seq > seq);
  }

  #keep(chunks: readonly OutputChunk[]): void {
    for (const chunk of chunks) {
      this.#tail.push(chunk);
      this.#tailBytes += bytesOf(chunk.text);
    }
    while (this.#tail.length > 1 && this.#tailBytes > outputTailBytes) {
      this.#tailBytes -= bytesOf(this.#tail.shift()?.text ?? '');
    }
  }

  #add(stream: Stream, text: string): void {
    if (text === '') return;
    this.counts[stream === 'out' ? 'outBytes' : 'errBytes'] += bytesOf(text);
    const last = this.#pending.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.#pending.push({ stream, text, at: this.#now() - this.#startedAt });
  }
}

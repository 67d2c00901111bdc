import { LIMITS } from './limits';

/** Where a command writes. Waits while the reader is busy; throws BrokenPipe when there is none any more. */
export interface Sink {
  write(chunk: Uint8Array): Promise<void>;
  close?(): Promise<void>;
}

/** Where a command reads: undefined at the end. Whoever does not want to wait any more takes nothing: `signal`. */
export interface Source {
  read(signal?: AbortSignal): Promise<Uint8Array | undefined>;
  close?(): Promise<void>;
}

export class BrokenPipe extends Error {}

/** A pipe that holds little: who writes faster than the other side reads has to wait. */
export class Pipe implements Sink, Source {
  private readonly chunks: Uint8Array[] = [];
  private held = 0;
  private ended = false;
  private broken = false;
  private wake: (() => void)[] = [];

  async write(chunk: Uint8Array): Promise<void> {
    while (!this.broken && !this.ended && this.held >= LIMITS.pipeBytes) await this.changed();
    if (this.broken || this.ended) throw new BrokenPipe();
    if (chunk.length === 0) return;
    this.chunks.push(chunk);
    this.held += chunk.length;
    this.notify();
  }

  async read(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const wake = () => this.notify();
    signal?.addEventListener('abort', wake);
    while (this.chunks.length === 0 && !this.ended && !signal?.aborted) await this.changed();
    signal?.removeEventListener('abort', wake);
    if (signal?.aborted) return undefined;
    const chunk = this.chunks.shift();
    this.held -= chunk?.length ?? 0;
    this.notify();
    return chunk;
  }

  /** No more input comes. */
  end(): void {
    this.ended = true;
    this.notify();
  }

  /** Nobody reads any more. */
  break(): void {
    this.broken = true;
    this.chunks.length = 0;
    this.notify();
  }

  private changed(): Promise<void> {
    return new Promise((resolve) => this.wake.push(resolve));
  }

  private notify(): void {
    const waiting = this.wake;
    this.wake = [];
    for (const resolve of waiting) resolve();
  }
}

export const NOTHING: Source & Sink = { read: async () => undefined, write: async () => {} };

/** A source that gives these bytes once. */
export function sourceOf(bytes: Uint8Array): Source {
  let rest: Uint8Array | undefined = bytes.length > 0 ? bytes : undefined;
  return {
    read: async () => {
      const chunk = rest;
      rest = undefined;
      return chunk;
    },
  };
}

/** Bytes as text of one character a byte, so that text which is no UTF-8 comes out as it went in. */
export const bytesToText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
export const textToBytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Everything that comes; throws RangeError when it is more than may be held. */
export async function readAll(source: Source): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let held = 0;
  for (let chunk = await source.read(); chunk; chunk = await source.read()) {
    held += chunk.length;
    if (held > LIMITS.heldBytes) throw new RangeError('Cannot allocate memory');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The lines of each chunk, with their line feed, one character a byte; the last may have none. */
export async function* readLineBatches(source: Source): AsyncGenerator<string[]> {
  let rest: string[] = [];
  let held = 0;
  for (let chunk = await source.read(); chunk; chunk = await source.read()) {
    const lines = bytesToText(chunk).split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      yield lines.map((line, at) => `${at === 0 ? rest.join('') : ''}${line}\n`);
      rest = [];
      held = 0;
    }
    held += last.length;
    if (held > LIMITS.heldBytes) throw new RangeError('Cannot allocate memory');
    if (last !== '') rest.push(last);
  }
  if (rest.length > 0) yield [rest.join('')];
}

export async function* readLines(source: Source): AsyncGenerator<string> {
  for await (const lines of readLineBatches(source)) yield* lines;
}

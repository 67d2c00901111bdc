import type { Exit, Process } from '../processes';
import { BrokenPipe, Pipe } from '../streams';
import type { Stream } from './connect';

/** What was asked for; paths and variables as the sandbox has them. */
export interface CommandConfig {
  readonly cmd: string;
  readonly args?: string[] | undefined;
  readonly envs?: Record<string, string> | undefined;
  readonly cwd?: string | undefined;
}

/** As much output as one frame has at most. */
const FRAME_BYTES = 32_768;
const SIGNAL_TEXT = { SIGKILL: 'killed', SIGTERM: 'terminated' };

/** One command that a request started, and everyone who follows it. */
export class Command {
  readonly stdin = new Pipe();
  private readonly followers = new Set<Stream>();
  private over = false;

  constructor(
    readonly process: Process,
    readonly config: CommandConfig,
    readonly tag: string | undefined,
  ) {}

  async follow(stream: Stream): Promise<void> {
    this.followers.add(stream);
    stream.closed.addEventListener('abort', () => this.followers.delete(stream));
    stream.keepAlive({ event: { keepalive: {} } });
    await stream.send({ event: { start: { pid: this.process.pid } } });
  }

  unfollow(stream: Stream): void {
    this.followers.delete(stream);
  }

  /** The slowest reader sets the pace; without readers, output is lost. */
  sink(name: 'stdout' | 'stderr') {
    return {
      write: async (chunk: Uint8Array) => {
        for (let at = 0; at < chunk.length; at += FRAME_BYTES) {
          if (this.over) throw new BrokenPipe();
          if (this.followers.size === 0) continue;
          const data = { [name]: Buffer.from(chunk.subarray(at, at + FRAME_BYTES)).toString('base64') };
          await Promise.all([...this.followers].map((stream) => stream.send({ event: { data } })));
        }
      },
    };
  }

  finish(exit: Exit): void {
    this.over = true;
    this.stdin.break();
    const end = endOf(exit);
    for (const stream of this.followers) void stream.send({ event: { end } }).then(() => stream.end());
  }

  cut(): void {
    this.over = true;
    for (const stream of this.followers) stream.cut();
  }
}

/** Numbers that are zero are not sent. */
function endOf(exit: Exit): object {
  if ('signal' in exit) {
    const status = `signal: ${SIGNAL_TEXT[exit.signal]}`;
    return { exitCode: -1, status, error: status };
  }
  const status = `exit status ${exit.code}`;
  return exit.code === 0 ? { exited: true, status } : { exitCode: exit.code, exited: true, status, error: status };
}

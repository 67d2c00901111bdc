import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '../limits';
import type { Process } from '../processes';
import { systemError } from '../reasons';
import type { Io } from '../shell/state';
import { BrokenPipe, type Sink, type Source } from '../streams';
import type { Reaper } from './reaper';

/** One command for Python; paths as the sandbox sees them. */
export interface PythonJob {
  readonly kind: 'string' | 'file' | 'module' | 'stdin';
  readonly value: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const ENTRY = fileURLToPath(new URL('./interpreter.mjs', import.meta.url));
const PYODIDE = realpathSync(path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json')));
/** Until Node.js 22 the permission model had a longer name. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';
/** A sandbox gets its Python ahead only after this: many of them are claimed, or killed, one right after another. */
const PREPARE_AFTER_MS = 200;

/**
 * Python for all sandboxes: each command is a Node.js process of its own with Pyodide, which may read and write the folder
 * of its sandbox and nothing else, reach no network and start no process.
 */
export class Pythons {
  private snapshot: Promise<string> | undefined;
  /** Started ahead, by the folder of their sandbox; the oldest first. */
  private readonly ready = new Map<string, Promise<ChildProcess>>();
  private readonly running = new Map<string, Set<ChildProcess>>();
  private readonly preparing = new Map<string, NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly dir: string,
    private readonly reaper: Reaper,
  ) {}

  /** Soon starts one for the next command of this sandbox, unless others are asked for meanwhile. */
  prepare(root: string): void {
    if (this.closed || this.ready.has(root)) return;
    this.cancel(root);
    for (const [oldest] of this.preparing) {
      if (this.preparing.size < LIMITS.readyPythons) break;
      this.cancel(oldest);
    }
    this.preparing.set(root, setTimeout(() => this.startAhead(root), PREPARE_AFTER_MS).unref());
    // The first of all takes long, and all others wait for it.
    this.snapshot ??= this.makeSnapshot();
  }

  /**
   * Runs one command to its end.
   * @returns its exit code
   * @throws Killed when its process is killed, EAGAIN when too many run
   */
  async run(root: string, job: PythonJob, io: Io, process: Process): Promise<number> {
    const running = this.running.get(root) ?? new Set();
    this.running.set(root, running);
    if (running.size >= LIMITS.pythons) throw systemError('EAGAIN');
    this.cancel(root);
    const starting = this.ready.get(root) ?? this.start(root);
    this.ready.delete(root);
    const child = await starting;
    running.add(child);
    const kill = () => killGroup(child);
    process.killed.addEventListener('abort', kill);
    if (process.killed.aborted || this.closed) kill();
    try {
      return await talk(child, job, io, process);
    } finally {
      process.killed.removeEventListener('abort', kill);
      running.delete(child);
      // Unless the sandbox is gone.
      if (this.running.has(root)) this.prepare(root);
    }
  }

  /** The sandbox is gone. */
  forget(root: string): void {
    this.cancel(root);
    this.drop(root);
    for (const child of this.running.get(root) ?? []) killGroup(child);
    this.running.delete(root);
  }

  close(): void {
    this.closed = true;
    for (const root of new Set([...this.ready.keys(), ...this.running.keys(), ...this.preparing.keys()]))
      this.forget(root);
  }

  private cancel(root: string): void {
    clearTimeout(this.preparing.get(root));
    this.preparing.delete(root);
  }

  private startAhead(root: string): void {
    this.preparing.delete(root);
    if (this.closed) return;
    for (const [oldest] of this.ready) {
      if (this.ready.size < LIMITS.readyPythons) break;
      this.drop(oldest);
    }
    const starting = this.start(root);
    this.ready.set(root, starting);
    const remove = () => {
      if (this.ready.get(root) === starting) this.ready.delete(root);
    };
    starting.then((child) => child.once('exit', remove), remove);
  }

  private drop(root: string): void {
    this.ready.get(root)?.then(killGroup, () => {});
    this.ready.delete(root);
  }

  private async start(root: string): Promise<ChildProcess> {
    this.snapshot ??= this.makeSnapshot();
    const snapshot = await this.snapshot;
    if (this.closed) throw systemError('EAGAIN');
    const may = [
      `--allow-fs-read=${PYODIDE}/*`,
      `--allow-fs-read=${path.dirname(ENTRY)}/*`,
      `--allow-fs-read=${snapshot}`,
    ];
    const own = [`--allow-fs-read=${root}/*`, `--allow-fs-write=${root}/*`];
    const limits = { memoryBytes: LIMITS.memoryBytes, folderBytes: LIMITS.folderBytes };
    const options = JSON.stringify({ pyodideDir: PYODIDE, snapshot, root, ...limits });
    return this.spawn([PERMISSION, ...may, ...own, ENTRY, 'run', options]);
  }

  /** The memory of a Python that has just started: from there, a start takes a third of the time. */
  private async makeSnapshot(): Promise<string> {
    const snapshot = path.join(this.dir, 'python.snapshot');
    const child = this.spawn([ENTRY, 'make', JSON.stringify({ pyodideDir: PYODIDE, snapshot })]);
    child.stdio[3]?.destroy();
    child.stdout?.resume();
    child.stderr?.resume();
    await once(child, 'exit');
    // Without the file, every start is a slow one.
    return snapshot;
  }

  private spawn(args: readonly string[]): ChildProcess {
    const flags = [
      '--no-warnings',
      '--disallow-code-generation-from-strings',
      `--max-old-space-size=${LIMITS.heapMiB}`,
    ];
    const child: ChildProcess = spawn(process.execPath, [...flags, ...args], {
      cwd: '/',
      // Nothing of this process; what the command sees is sent to it.
      env: {} as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      // A process group of its own, killed as a whole.
      detached: true,
    });
    for (const stream of child.stdio) stream?.on('error', () => {});
    child.on('error', () => {});
    this.reaper.watch(child);
    return child;
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

async function talk(child: ChildProcess, job: PythonJob, io: Io, own: Process): Promise<number> {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw systemError('EAGAIN');
  const ended = new AbortController();
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  (child.stdio[3] as Writable).end(JSON.stringify(job));
  feed(io.stdin, stdin, ended.signal);
  await Promise.all([drain(stdout, io.stdout), drain(stderr, io.stderr)]);
  const [code, signal] =
    child.exitCode !== null || child.signalCode !== null ? [child.exitCode, child.signalCode] : await exit;
  ended.abort();
  if (signal !== null) {
    own.kill('SIGKILL');
    own.killed.throwIfAborted();
  }
  return code ?? 1;
}

async function feed(source: Source, stdin: Writable, ended: AbortSignal): Promise<void> {
  try {
    for (let chunk = await source.read(ended); chunk; chunk = await source.read(ended)) {
      if (!stdin.write(chunk)) await once(stdin, 'drain', { signal: ended });
    }
  } catch {
    // Killed, or nobody reads: there is nothing more to do.
  }
  stdin.end();
}

/** Passes on what comes, as slowly as it is taken. When nobody takes it, the writer is told so. */
async function drain(stream: Readable, sink: Sink): Promise<void> {
  try {
    for await (const chunk of stream) await sink.write(chunk);
  } catch (error) {
    stream.destroy();
    if (!(error instanceof BrokenPipe)) throw error;
  }
}

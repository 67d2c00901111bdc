import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Where systems have the programs of PostgreSQL: on the PATH, or one folder a version. */
function programs(): string | undefined {
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged)
    ? readdirSync(packaged).map((version) => path.join(packaged, version, 'bin'))
    : [];
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/local/bin', ...versions];
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')));
}

/** Why no PostgreSQL can be started here; undefined when one can. */
export const noPostgres = programs() === undefined ? 'needs the programs initdb and postgres of PostgreSQL' : undefined;

/** PostgreSQL refuses to be root. */
function nobody(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

export interface TestPostgres {
  /** Makes an empty database. @returns its URL */
  empty(): Promise<string>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** It keeps its connections, and says nothing any more; `false`: it goes on. */
  freeze(frozen: boolean): void;
  /** After {@link kill}. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A PostgreSQL of its own, in a temporary folder, on a port of its own. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = programs();
  if (folder === undefined) throw new Error(noPostgres);
  const as = nobody();
  const dir = mkdtempSync(path.join(tmpdir(), 'postgres-'));
  if (as) chownSync(dir, as.uid, as.gid);
  const data = path.join(dir, 'data');
  const port = await freePort();
  const options = { cwd: dir, stdio: 'ignore' as const, ...as };
  execFileSync(path.join(folder, 'initdb'), ['-D', data, '-U', 'console', '-A', 'trust', '--no-sync'], options);
  let server: ChildProcess;
  let count = 0;
  const url = (database: string) => `postgres://console@127.0.0.1:${port}/${database}`;

  async function start(): Promise<void> {
    const flags = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', dir, '-c', 'fsync=off'];
    server = spawn(path.join(folder ?? '', 'postgres'), flags, options);
    while (!(await answers())) await sleep(50);
  }
  async function answers(): Promise<boolean> {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    const client = new pg.Client(url('postgres'));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }
  /** The server and the processes that it has started. */
  function processes(): number[] {
    const { stdout } = spawnSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' });
    return [server.pid ?? 0, ...stdout.split('\n').filter(Boolean).map(Number)];
  }
  const gone = () => new Promise<void>((resolve) => void server.once('exit', () => resolve()));
  async function end(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const done = gone();
    const all = signal === 'SIGKILL' ? processes() : [];
    server.kill(signal);
    for (const pid of all) send(pid, signal);
    await done;
  }
  // Also when a test run is ended, or fails before it comes to its end.
  process.once('exit', () => server.kill('SIGKILL'));
  await start();
  return {
    start,
    async empty() {
      const name = `test_${++count}`;
      const client = new pg.Client(url('postgres'));
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    kill: () => end('SIGKILL'),
    freeze(frozen) {
      for (const pid of processes()) send(pid, frozen ? 'SIGSTOP' : 'SIGCONT');
    },
    async stop() {
      await end('SIGQUIT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

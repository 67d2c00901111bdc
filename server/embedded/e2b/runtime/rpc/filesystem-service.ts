import type { BigIntStats } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { z } from 'zod';
import { type Folder, homeOf, type User } from '../folder';
import { codeOf, goReasonOf, systemError } from '../reasons';
import { permissions } from '../shell/programs/ls';
import { RpcError, readMessage, readStreamMessage, Stream, sendMessage, timeoutOf } from './connect';
import { failing } from './process-service';
import { Watchers } from './watchers';

const pathSchema = z.object({ path: z.string().default('') });
const listSchema = pathSchema.extend({ depth: z.number().int().optional() });
const moveSchema = z.object({ source: z.string().default(''), destination: z.string().default('') });
const watchSchema = pathSchema.extend({ recursive: z.boolean().optional() });
const watcherSchema = z.object({ watcherId: z.string().default('') });

type Unary = (request: IncomingMessage, response: ServerResponse, user: User) => Promise<void>;

/** As Go writes times in JSON: as many digits as there are, by threes. */
function timestamp(ns: bigint): string {
  const fraction = (ns % 1_000_000_000n)
    .toString()
    .padStart(9, '0')
    .replace(/(000){1,3}$/, '');
  const seconds = new Date(Number(ns / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds}${fraction ? `.${fraction}` : ''}Z`;
}

/** `filesystem.Filesystem` on the folder of a sandbox. */
export class FilesystemService {
  private readonly watchers = new Watchers();

  constructor(private readonly folder: Folder) {}

  readonly unary: Readonly<Record<string, Unary>> = {
    Stat: async (request, response, user) => {
      const { path: name } = await readMessage(request, pathSchema);
      const inside = this.resolve(name, user);
      sendMessage(request, response, { entry: await this.entry(inside, `file not found: lstat ${inside}`) });
    },
    MakeDir: async (request, response, user) => {
      const { path: name } = await readMessage(request, pathSchema);
      const inside = this.resolve(name, user);
      const stats = await this.folder.stat(inside).catch(() => undefined);
      if (stats?.isDirectory()) throw new RpcError('already_exists', `directory already exists: ${inside}`);
      if (stats) throw new RpcError('invalid_argument', `path already exists but it is not a directory: ${inside}`);
      await this.folder.makeDirs(inside, user).catch((error) => {
        throw new RpcError('internal', `failed to create directory: mkdir ${inside}: ${goReasonOf(error)}`);
      });
      const entry = { name: path.posix.basename(inside), type: 'FILE_TYPE_DIRECTORY', path: inside };
      sendMessage(request, response, { entry });
    },
    Move: async (request, response, user) => {
      const { source, destination } = await readMessage(request, moveSchema);
      const [from, to] = [this.resolve(source, user), this.resolve(destination, user)];
      const step = `rename ${from} ${to}`;
      try {
        if (from === '/' || to === '/') throw systemError('EBUSY');
        await this.folder.makeDirs(path.posix.dirname(to), user);
        await rename(await this.folder.real(from), await this.folder.real(to));
      } catch (error) {
        if (codeOf(error) === 'ENOENT')
          throw new RpcError('not_found', `source file not found: ${step}: ${goReasonOf(error)}`);
        throw new RpcError('internal', `error renaming: ${step}: ${goReasonOf(error)}`);
      }
      sendMessage(request, response, { entry: await this.entry(to, `file not found: lstat ${to}`) });
    },
    ListDir: async (request, response, user) => {
      const { path: name, depth } = await readMessage(request, listSchema);
      const inside = this.resolve(name, user);
      const stats = await this.folder.stat(inside).catch((error) => {
        throw notFound(error, `path not found: lstat ${inside}`);
      });
      if (!stats.isDirectory()) throw new RpcError('invalid_argument', `path is not a directory: ${inside}`);
      const entries = await this.walk(inside, depth || 1);
      sendMessage(request, response, entries.length > 0 ? { entries } : {});
    },
    Remove: async (request, response, user) => {
      const { path: name } = await readMessage(request, pathSchema);
      const inside = this.resolve(name, user);
      if (inside === '/')
        throw new RpcError('internal', 'error removing file or directory: unlinkat /: device or resource busy');
      await rm(await this.folder.real(inside), { recursive: true, force: true }).catch((error) => {
        throw new RpcError('internal', `error removing file or directory: unlinkat ${inside}: ${goReasonOf(error)}`);
      });
      sendMessage(request, response, {});
    },
    CreateWatcher: async (request, response, user) => {
      const { path: name, recursive = false } = await readMessage(request, watchSchema);
      sendMessage(request, response, { watcherId: this.watchers.create(await this.watched(name, user), recursive) });
    },
    GetWatcherEvents: async (request, response) => {
      const { watcherId } = await readMessage(request, watcherSchema);
      const events = this.watchers.take(watcherId);
      sendMessage(request, response, events.length > 0 ? { events } : {});
    },
    RemoveWatcher: async (request, response) => {
      const { watcherId } = await readMessage(request, watcherSchema);
      this.watchers.remove(watcherId);
      sendMessage(request, response, {});
    },
  };

  readonly streams: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse, user: User | undefined) => Promise<void>>
  > = {
    WatchDir: async (request, response, user) => {
      const stream = new Stream(request, response);
      await failing(stream, async () => {
        if (!user) throw new RpcError('unauthenticated', 'no user specified');
        const { path: name, recursive = false } = await readStreamMessage(request, watchSchema);
        const stop = this.watchers.watch(
          await this.watched(name, user),
          recursive,
          (filesystem) => void stream.send({ filesystem }),
        );
        const ms = timeoutOf(request);
        const deadline = new RpcError('deadline_exceeded', 'context deadline exceeded');
        const timer = ms === undefined ? undefined : setTimeout(() => stream.end(deadline), ms);
        stream.closed.addEventListener('abort', () => {
          clearTimeout(timer);
          stop();
        });
        stream.keepAlive({ keepalive: {} });
        await stream.send({ start: {} });
      });
    },
  };

  close(): void {
    this.watchers.close();
  }

  private resolve(name: string, user: User): string {
    const home = homeOf(user);
    return this.folder.resolve(home, name.replace(/^~(?=\/|$)/, home));
  }

  private async watched(name: string, user: User): Promise<string> {
    const inside = this.resolve(name, user);
    const stats = await this.folder.stat(inside).catch((error) => {
      throw notFound(error, `path ${inside} not found: stat ${inside}`);
    });
    if (!stats.isDirectory()) throw new RpcError('invalid_argument', `path ${inside} not a directory: %!w(<nil>)`);
    return this.folder.real(inside);
  }

  private async entry(inside: string, otherwise: string): Promise<object> {
    const stats = await lstat(await this.folder.real(inside), { bigint: true }).catch((error) => {
      throw notFound(error, otherwise);
    });
    return this.describe(inside, stats);
  }

  private describe(inside: string, stats: BigIntStats): object {
    const owner = this.folder.ownerOf({ ino: Number(stats.ino) });
    const mode = Number(stats.mode);
    return {
      name: path.posix.basename(inside),
      type: stats.isDirectory() ? 'FILE_TYPE_DIRECTORY' : 'FILE_TYPE_FILE',
      path: inside,
      ...(stats.size > 0n && { size: String(stats.size) }),
      mode: mode & 0o777,
      permissions: permissions({
        mode,
        isDirectory: () => stats.isDirectory(),
        isSymbolicLink: () => stats.isSymbolicLink(),
      }),
      owner,
      group: owner,
      modifiedTime: timestamp(stats.mtimeNs),
    };
  }

  /** Each folder is followed by what is in it, in the order of the names. */
  private async walk(inside: string, depth: number): Promise<object[]> {
    const real = await this.folder.real(inside);
    const entries: object[] = [];
    for (const name of (await readdir(real)).sort()) {
      // What is deleted meanwhile is not there.
      const stats = await lstat(path.join(real, name), { bigint: true }).catch(() => undefined);
      if (!stats) continue;
      const below = path.posix.join(inside, name);
      entries.push(this.describe(below, stats));
      if (stats.isDirectory() && depth > 1) entries.push(...(await this.walk(below, depth - 1)));
    }
    return entries;
  }
}

const notFound = (error: unknown, step: string): RpcError =>
  codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
    ? new RpcError('not_found', `${step}: ${goReasonOf(error)}`)
    : new RpcError('internal', `${step}: ${goReasonOf(error)}`);

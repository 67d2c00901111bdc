import { mkdirSync, type Stats } from 'node:fs';
import { lstat, mkdir, open, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { LIMITS } from './limits';
import { folderSize } from './python/folder-size.mjs';
import { codeOf, systemError } from './reasons';
import type { Sink, Source } from './streams';

export type User = 'user' | 'root';

export const homeOf = (user: User): string => (user === 'root' ? '/root' : '/home/user');

export const isUser = (name: string): name is User => name === 'user' || name === 'root';

/** These belong to the system; Python has its own. */
const SYSTEM = ['/dev', '/lib', '/proc', '/sys'];

const MEASURE_AFTER = 1024 * 1024;

/** The file system of one sandbox: a real folder, whose inside is seen as `/`. Nothing outside can be named. */
export class Folder {
  private unmeasured = MEASURE_AFTER;
  /** Inodes that root made; all others are the user's. */
  private readonly ofRoot = new Set<number>();

  constructor(readonly root: string) {
    for (const dir of ['home/user', 'root', 'tmp', 'var/tmp']) mkdirSync(path.join(root, dir), { recursive: true });
  }

  /** A relative or absolute path as the sandbox sees it, without `.` and `..`. */
  resolve(cwd: string, name: string): string {
    return path.posix.resolve('/', cwd, name);
  }

  /**
   * The real path of a path of the sandbox.
   * @throws ELOOP for whatever leads out of the folder
   */
  async real(inside: string): Promise<string> {
    const real = path.join(this.root, path.posix.normalize(`/${inside}`)).replace(/\/$/, '');
    // Nothing in a sandbox makes links; should one exist, it is not followed.
    for (let existing = real; ; existing = path.dirname(existing)) {
      const found = await realpath(existing).catch((error) => {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
        throw error;
      });
      if (found === undefined) continue;
      if (found !== existing) throw systemError('ELOOP');
      return real;
    }
  }

  async stat(inside: string): Promise<Stats> {
    return lstat(await this.real(inside));
  }

  /** Makes a folder and those above it; none of the system's. */
  async makeDirs(inside: string, user: User): Promise<void> {
    if (SYSTEM.some((dir) => inside === dir || inside.startsWith(`${dir}/`))) throw systemError('ENOENT');
    const real = await this.real(inside);
    if (await lstat(real).catch(() => undefined)) return;
    await this.makeDirs(path.posix.dirname(inside), user);
    this.spend(4096);
    await mkdir(real).catch((error) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    this.own(await lstat(real), user);
  }

  /** @param flags as of `fs.open` */
  async openWrite(inside: string, flags: 'w' | 'a', user: User): Promise<Sink & { close(): Promise<void> }> {
    const real = await this.real(inside);
    this.spend(4096);
    const isNew = (await lstat(real).catch(() => undefined)) === undefined;
    const file = await open(real, flags, 0o644);
    if (isNew) this.own(await file.stat(), user);
    return {
      write: async (chunk) => {
        this.spend(chunk.length);
        await file.writeFile(chunk);
      },
      close: () => file.close(),
    };
  }

  async openRead(inside: string): Promise<Source & { close(): Promise<void> }> {
    const file = await open(await this.real(inside), 'r');
    if ((await file.stat()).isDirectory()) {
      await file.close();
      throw systemError('EISDIR');
    }
    return {
      read: async () => {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(32_768), 0, 32_768);
        return bytesRead > 0 ? buffer.subarray(0, bytesRead) : undefined;
      },
      close: () => file.close(),
    };
  }

  /** @throws ENOSPC when so many more bytes do not fit */
  spend(bytes: number): void {
    this.unmeasured += bytes;
    if (this.unmeasured < MEASURE_AFTER) return;
    if (this.free() < bytes) throw systemError('ENOSPC');
    this.unmeasured = 0;
  }

  free(): number {
    return LIMITS.folderBytes - folderSize(this.root);
  }

  own(stats: Stats, user: User): void {
    if (user === 'root') this.ofRoot.add(stats.ino);
    else this.ofRoot.delete(stats.ino);
  }

  ownerOf(stats: { readonly ino: number }): User {
    return this.ofRoot.has(stats.ino) ? 'root' : 'user';
  }

  async delete(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

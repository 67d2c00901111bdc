import { chmod, copyFile, lstat, readdir, rename, rm, rmdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, reasonOf, systemError } from '../../reasons';
import type { Program, Run } from '../state';
import { complain, eachInput, inside } from './io';
import { readOptions, UsageError } from './options';

/** Does something to each argument; says what it could not. */
async function each(
  run: Run,
  names: readonly string[],
  what: string,
  work: (name: string) => Promise<void>,
): Promise<number> {
  if (names.length === 0)
    throw new UsageError(`${run.name}: missing operand\nTry '${run.name} --help' for more information.`);
  let status = 0;
  for (const name of names) {
    try {
      await work(name);
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      await complain(run, `${what} '${name}': ${reasonOf(error)}`);
      status = 1;
    }
  }
  return status;
}

const cat: Program = async (run) => {
  const { rest, has } = readOptions(run, 'un', { number: 'n' });
  let line = 0;
  let atStart = true;
  return eachInput(run, rest, async (source) => {
    for (let chunk = await source.read(); chunk; chunk = await source.read()) {
      if (!has('n')) {
        await run.stdout.write(chunk);
        continue;
      }
      const text = Buffer.from(chunk)
        .toString('latin1')
        .replace(/[^\n]*\n|[^\n]+/g, (part) => {
          if (atStart) line += 1;
          const head = atStart ? `${String(line).padStart(6)}\t` : '';
          atStart = part.endsWith('\n');
          return head + part;
        });
      await run.stdout.write(Buffer.from(text, 'latin1'));
    }
  });
};

const touch: Program = async (run) => {
  const { rest } = readOptions(run, 'amc');
  return each(run, rest, 'cannot touch', async (name) => {
    const { folder } = run.machine;
    const stats = await folder.stat(inside(run, name)).catch(() => undefined);
    if (!stats) await (await folder.openWrite(inside(run, name), 'a', run.user)).close();
    else await utimes(await folder.real(inside(run, name)), new Date(), new Date());
  });
};

const mkdir: Program = async (run) => {
  const { rest, has } = readOptions(run, 'pv', { parents: 'p' });
  return each(run, rest, 'cannot create directory', async (name) => {
    const { folder } = run.machine;
    const to = inside(run, name);
    const exists = await folder.stat(to).catch(() => undefined);
    if (exists && (!has('p') || !exists.isDirectory())) throw systemError('EEXIST');
    if (!has('p')) {
      const parent = await folder.stat(path.posix.dirname(to));
      if (!parent.isDirectory()) throw systemError('ENOTDIR');
    }
    await folder.makeDirs(to, run.user);
  });
};

const rmProgram: Program = async (run) => {
  const { rest, has } = readOptions(run, 'rRfvdi', { recursive: 'r', force: 'f' });
  if (rest.length === 0 && has('f')) return 0;
  return each(run, rest, 'cannot remove', async (name) => {
    const { folder } = run.machine;
    const real = await folder.real(inside(run, name));
    if (real === folder.root) throw systemError('EBUSY');
    const stats = await lstat(real).catch((error) => {
      if (!has('f')) throw error;
    });
    if (stats?.isDirectory() && !has('r') && !has('R')) throw systemError('EISDIR');
    await rm(real, { recursive: true, force: true });
  });
};

const rmdirProgram: Program = async (run) => {
  const { rest } = readOptions(run, 'p');
  return each(run, rest, 'failed to remove', async (name) => rmdir(await run.machine.folder.real(inside(run, name))));
};

/** The path that a source gets: inside of a target that is a folder. */
async function placeFor(run: Run, source: string, target: string): Promise<string> {
  const to = inside(run, target);
  const stats = await run.machine.folder.stat(to).catch(() => undefined);
  return stats?.isDirectory() ? path.posix.join(to, path.posix.basename(inside(run, source))) : to;
}

async function copyTree(run: Run, from: string, to: string): Promise<void> {
  const { folder } = run.machine;
  const stats = await folder.stat(from);
  run.process.killed.throwIfAborted();
  if (!stats.isDirectory()) {
    folder.spend(stats.size + 4096);
    const real = await folder.real(to);
    await copyFile(await folder.real(from), real);
    folder.own(await lstat(real), run.user);
    return;
  }
  if (`${to}/`.startsWith(`${from}/`)) throw systemError('EINVAL');
  await folder.makeDirs(to, run.user);
  for (const name of await readdir(await folder.real(from)))
    await copyTree(run, path.posix.join(from, name), path.posix.join(to, name));
}

const transfer =
  (
    flags: string,
    what: string,
    work: (run: Run, from: string, to: string, recursive: boolean) => Promise<void>,
  ): Program =>
  async (run) => {
    const { rest, has } = readOptions(run, flags, { recursive: 'r', force: 'f' });
    const target = rest.pop();
    if (target === undefined || rest.length === 0)
      throw new UsageError(`${run.name}: missing file operand\nTry '${run.name} --help' for more information.`);
    const folder = await run.machine.folder.stat(inside(run, target)).catch(() => undefined);
    if (rest.length > 1 && !folder?.isDirectory())
      throw new UsageError(`${run.name}: target '${target}': Not a directory`);
    return each(run, rest, what, async (source) =>
      work(run, inside(run, source), await placeFor(run, source, target), has('r') || has('R') || has('a')),
    );
  };

const cp = transfer('rRafpv', 'cannot copy', async (run, from, to, recursive) => {
  const stats = await run.machine.folder.stat(from);
  if (stats.isDirectory() && !recursive)
    throw Object.assign(new Error('-r not specified; omitting directory'), { code: 'OMITTED' });
  await copyTree(run, from, to);
});

const mv = transfer('fvnu', 'cannot move', async (run, from, to) => {
  const { folder } = run.machine;
  await rename(await folder.real(from), await folder.real(to));
});

const chmodProgram: Program = async (run) => {
  const { rest } = readOptions({ ...run, args: run.args.map((arg) => (/^-[rwx]+$/.test(arg) ? `a${arg}` : arg)) }, 'R');
  const [mode = '', ...names] = rest;
  return each(run, names, 'cannot change mode of', async (name) => {
    const real = await run.machine.folder.real(inside(run, name));
    const stats = await lstat(real);
    // The owner of the folder must be able to read and delete it.
    await chmod(real, changedMode(run, mode, stats.mode) | (stats.isDirectory() ? 0o700 : 0o600));
  });
};

function changedMode(run: Run, mode: string, before: number): number {
  if (/^[0-7]{3,4}$/.test(mode)) return Number.parseInt(mode, 8) & 0o777;
  const found = /^([ugoa]*)([-+=])([rwx]*)$/.exec(mode);
  if (!found) throw new UsageError(`${run.name}: invalid mode: '${mode}'`);
  const who = found[1] === '' || found[1]?.includes('a') ? 'ugo' : (found[1] ?? '');
  const bits = [...(found[3] ?? '')].reduce((sum, letter) => sum | { r: 4, w: 2, x: 1 }[letter as 'r'], 0);
  const mask = (value: number) =>
    ['u', 'g', 'o'].reduce((sum, letter, at) => (who.includes(letter) ? sum | (value << (6 - 3 * at)) : sum), 0);
  if (found[2] === '+') return (before & 0o777) | mask(bits);
  if (found[2] === '-') return before & 0o777 & ~mask(bits);
  return (before & 0o777 & ~mask(7)) | mask(bits);
}

export const FILE_PROGRAMS: Record<string, Program> = {
  cat,
  chmod: chmodProgram,
  cp,
  mkdir,
  mv,
  rm: rmProgram,
  rmdir: rmdirProgram,
  touch,
};

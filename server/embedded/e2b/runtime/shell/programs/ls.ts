import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../../reasons';
import type { Program, Run } from '../state';
import { complain, inside, say } from './io';
import { readOptions } from './options';

/** `-rw-r--r--` */
export function permissions(stats: Pick<Stats, 'mode' | 'isDirectory' | 'isSymbolicLink'>): string {
  const kind = stats.isDirectory() ? 'd' : stats.isSymbolicLink() ? 'l' : '-';
  return (
    kind +
    [6, 3, 0]
      .map((shift) =>
        ['r', 'w', 'x'].map((letter, bit) => ((stats.mode >> shift) & (4 >> bit) ? letter : '-')).join(''),
      )
      .join('')
  );
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function when(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const isRecent = Math.abs(Date.now() - date.getTime()) < 182 * 24 * 3600 * 1000;
  const last = isRecent ? `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}` : ` ${date.getUTCFullYear()}`;
  return `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)} ${last}`;
}

function listing(run: Run, entries: { name: string; stats: Stats }[], isLong: boolean): string {
  if (!isLong) return entries.map(({ name }) => `${name}\n`).join('');
  const width = Math.max(1, ...entries.map(({ stats }) => String(stats.size).length));
  return entries
    .map(({ name, stats }) => {
      const owner = run.machine.folder.ownerOf(stats);
      return `${permissions(stats)} ${stats.nlink} ${owner} ${owner} ${String(stats.size).padStart(width)} ${when(stats.mtime)} ${name}\n`;
    })
    .join('');
}

export const ls: Program = async (run) => {
  const { rest, has } = readOptions(
    run,
    'aAl1dhtrR',
    { all: 'a', 'almost-all': 'A', 'human-readable': 'h', reverse: 'r', recursive: 'R' },
    2,
  );
  const { folder } = run.machine;
  const names = rest.length > 0 ? rest : ['.'];
  let status = 0;
  const order = (entries: { name: string; stats: Stats }[]) => {
    entries.sort((a, b) => (has('t') ? b.stats.mtimeMs - a.stats.mtimeMs : 0) || (a.name < b.name ? -1 : 1));
    return has('r') ? entries.reverse() : entries;
  };
  const single: { name: string; stats: Stats }[] = [];
  const dirs: string[] = [];
  for (const name of names) {
    const stats = await folder.stat(inside(run, name)).catch(async (error) => {
      await complain(run, `cannot access '${name}': ${reasonOf(error)}`);
      status = 2;
    });
    if (stats?.isDirectory() && !has('d')) dirs.push(name);
    else if (stats) single.push({ name, stats });
  }
  await say(run, listing(run, order(single), has('l')));
  const show = async (dir: string, heading: boolean): Promise<void> => {
    const real = await folder.real(inside(run, dir));
    const found = (await readdir(real)).filter((name) => has('a') || has('A') || !name.startsWith('.'));
    const entries: { name: string; stats: Stats }[] = [];
    for (const name of [...(has('a') ? ['.', '..'] : []), ...found]) {
      const stats = await lstat(name === '..' ? real : path.join(real, name)).catch(() => undefined);
      if (stats) entries.push({ name, stats });
    }
    const total = has('l') ? `total ${entries.reduce((sum, { stats }) => sum + stats.blocks / 2, 0)}\n` : '';
    await say(run, (heading ? `${dir}:\n` : '') + total + listing(run, order(entries), has('l')));
    for (const { name, stats } of has('R') ? entries : []) {
      if (!stats.isDirectory() || name === '.' || name === '..') continue;
      await say(run, '\n');
      await show(path.posix.join(dir, name), true);
    }
  };
  for (const [at, dir] of dirs.entries()) {
    if (at > 0 || single.length > 0) await say(run, '\n');
    await show(dir, names.length > 1 || has('R'));
  }
  return status;
};

import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Logs, the embedded cluster's data, the console's database, builds, an unpacked browser: all of it may be deleted while nothing runs. */
export const cacheDir = join(root, '.cache');

/** A path as the person typed it. npm changes to the project's folder first and keeps theirs in INIT_CWD. */
export function typedPath(path) {
  const home = process.env.HOME ?? '';
  return resolve(process.env.INIT_CWD ?? process.cwd(), path.replace(/^~(?=\/|$)/, home));
}

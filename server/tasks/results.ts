import 'server-only';
import type { EntryInfo } from 'e2b';
import { type TaskResult, taskLimits } from '@/lib/contracts/tasks';
import { codePath } from './command';
import { type Claimed, home } from './e2b';
import type { TaskFile } from './store';

/** Files that the code wrote: what is newer than the code itself, by the sandbox's own clock; of uploaded ones the changed. */
export function writtenFiles(entries: readonly EntryInfo[], uploaded: readonly string[]): EntryInfo[] {
  const since = entries.find(({ path }) => path === codePath)?.modifiedTime?.getTime();
  const inputs = new Set([codePath, ...uploaded.map((name) => `${home}/${name}`)]);
  return entries
    .filter(({ path, modifiedTime }) => {
      const parts = path.slice(home.length + 1).split('/');
      if (parts.some((part) => part.startsWith('.') || part === '__pycache__')) return false;
      if (since === undefined || modifiedTime === undefined) return !inputs.has(path);
      return inputs.has(path)
        ? path !== codePath && modifiedTime.getTime() > since + 1_000
        : modifiedTime.getTime() >= since;
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Names what was written, and fetches as many as are kept. */
export async function collectResults(
  sandbox: Claimed,
  uploaded: readonly string[],
  keep: (file: TaskFile) => void,
): Promise<TaskResult[]> {
  const written = writtenFiles(await sandbox.files(), uploaded);
  const results: TaskResult[] = [];
  for (const { path, size } of written) {
    const name = path.slice(home.length + 1);
    const isKept = results.filter(({ stored }) => stored).length < taskLimits.results && size <= taskLimits.resultBytes;
    if (isKept) keep({ name, base64: Buffer.from(await sandbox.read(path)).toString('base64') });
    results.push({ path: name, bytes: size, ...(isKept ? { stored: true as const } : {}) });
  }
  return results.slice(0, 500);
}

import 'server-only';
import type { EntryInfo } from 'e2b';
import { type TaskResult, taskLimits } from '@/lib/contracts/tasks';
import { codePath } from './command';
import type { TaskFile } from './contents';
import { type Claimed, home } from './e2b';

const mostNamed = 500;

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

/** Names what was written, and fetches as many as are kept. @param keep is waited for: no more than one is held at a time */
export async function collectResults(
  sandbox: Claimed,
  uploaded: readonly string[],
  keep: (file: TaskFile) => Promise<void>,
  signal: AbortSignal,
): Promise<TaskResult[]> {
  const written = writtenFiles(await sandbox.files(signal), uploaded);
  const results: TaskResult[] = [];
  let left: number = taskLimits.results;
  for (const { path, size } of written.slice(0, mostNamed)) {
    const name = path.slice(home.length + 1);
    const isWanted = left > 0 && size <= taskLimits.resultBytes;
    // One that is still written to may be larger by now.
    const bytes = isWanted ? await sandbox.read(path, taskLimits.resultBytes, signal) : undefined;
    if (bytes) {
      await keep({ name, base64: bytes.toString('base64') });
      left -= 1;
    }
    results.push({ path: name, bytes: bytes?.length ?? size, ...(bytes ? { stored: true as const } : {}) });
  }
  return results;
}

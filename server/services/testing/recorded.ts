import { readFileSync } from 'node:fs';
import path from 'node:path';
import { httpError, type KubeError } from '@/server/kube/errors';

type Line = { what: string; status: number; response: { message: string } };

const lines = readFileSync(path.join(import.meta.dirname, '../fixtures/refusals.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

/** What a real API server answered, by a part of the recording's title. */
export function lineOf(what: string): Line {
  const line = lines.find((l) => l.what.includes(what));
  if (!line) throw new Error(`no recording of ${what}`);
  return line;
}

export function recordedRefusal(what: string): KubeError {
  const line = lineOf(what);
  return httpError(line.status, line.response);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseRecording, type RecordedEvent, type Recording } from '@/server/explain/recording';

export type { RecordedEvent };

/** A whole recording of real controllers, in the exact order of the API server's writes. */
export function readRecording(name: string): Recording {
  const file = `${name}.jsonl`;
  return parseRecording(readFileSync(path.join(import.meta.dirname, 'recordings', file), 'utf8'), file);
}

import 'server-only';
import { activeStates, taskStates } from '@/lib/contracts/tasks';
import { parsedJson } from '../history/json';
import type { Tables } from '../history/tables';
import { log } from '../log';
import { type TaskRecord, taskRecord } from './record';

type Row = Tables['task'];

export const endedStates = taskStates.filter((state) => !activeStates.has(state));

/** None for one that another version has stored in a way that this one cannot read. */
export function recordOf(row: Pick<Row, 'id' | 'record'>): TaskRecord[] {
  const parsed = taskRecord.safeParse(parsedJson(row.record));
  if (parsed.success) return [parsed.data];
  log.warn({ key: 'task.unreadable', task: row.id });
  return [];
}

/** Letters of any size alike, in any script: a database folds those of ASCII, or of its locale. A NUL is no text of PostgreSQL. */
export const folded = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll('\0', '');

/** What a person sees of a task, for words to be looked for in. */
export const wordsOf = ({ id, request, pool, sandbox }: TaskRecord): string =>
  folded([id, request.code, `${pool.ns}/${pool.name}`, sandbox?.id ?? '', sandbox?.name ?? ''].join('\n'));

/** The columns that follow from the record. */
export function columnsOf(
  record: TaskRecord,
): Pick<Row, 'state' | 'ended_at' | 'claim_ms' | 'origin' | 'record' | 'words'> {
  const claim = record.steps.find(({ name }) => name === 'claim');
  const done = claim?.state === 'done' && claim.startedAt !== undefined && claim.endedAt !== undefined;
  const origin = record.sandbox?.origin;
  return {
    state: record.state,
    ended_at: record.endedAt ?? null,
    claim_ms: done ? Number(claim.endedAt) - Number(claim.startedAt) : null,
    origin: origin === undefined || origin === 'unknown' ? null : origin,
    record: JSON.stringify(record),
    words: wordsOf(record),
  };
}

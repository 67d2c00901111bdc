import type { SandboxRow } from '@/lib/contracts/rows';
import { nextThing } from '@/lib/domain/deadlines';
import { type FilterContext, revisionOf } from '@/lib/domain/sandbox-filter';
import { dwellOf, severityOf } from '@/lib/domain/severity';

type Value = string | number | boolean | undefined;

const time = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

/** Heads are raw names, the same in every language; times are UTC; what is not known is empty. */
const columns: [head: string, value: (row: SandboxRow, context: FilterContext) => Value][] = [
  ['namespace', (row) => row.ns],
  ['name', (row) => row.name],
  ['uid', (row) => row.uid],
  ['id', (row) => row.id],
  ['state', (row) => row.state],
  ['phase', (row) => row.phase],
  ['stage', (row) => row.stage],
  ['since', (row) => time(row.since)],
  ['since_from', (row) => row.sinceFrom],
  ['dwell_seconds', (row, { now }) => seconds(dwellOf(row, now).ms)],
  ['severity', (row, { now, limits }) => severityOf(row, now, limits)],
  ['cause', (row) => row.cause?.code],
  ['cause_detail', (row) => row.cause?.detail],
  ['never_converges', (row) => row.cause?.never ?? false],
  ['next', (row, { now }) => nextThing(row, now)?.kind],
  ['next_at', (row, { now }) => time(nextThing(row, now)?.at)],
  ['claimed', (row) => row.claimed ?? false],
  ['owner', (row) => row.owner],
  ['claim', (row) => row.claimName],
  ['claimed_at', (row) => time(row.claimedAt)],
  ['pool', (row) => row.pool],
  ['revision', (row) => row.hash],
  ['revision_is', (row, context) => revisionOf(row, context)],
  ['node', (row) => row.node],
  ['ip', (row) => row.ip],
  ['ready', (row) => row.ready],
  ['restarts', (row) => row.restarts],
  ['pause_time', (row) => time(row.pauseAt)],
  ['shutdown_time', (row) => time(row.shutdownAt)],
  ['upgrade', (row) => row.op],
  ['message', (row) => row.message],
  ['created', (row) => time(row.created)],
  ['deleting', (row) => time(row.deleting)],
];

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : Math.floor(ms / 1000));

/** RFC 4180 with a byte order mark, without which spreadsheets misread anything but ASCII. */
export function sandboxesCsv(rows: readonly SandboxRow[], context: FilterContext): string {
  const lines = [
    columns.map(([head]) => head),
    ...rows.map((row) => columns.map(([, value]) => csvField(value(row, context)))),
  ];
  return `\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

/** Text of objects is never a formula: a spreadsheet would run what begins with one of these. */
const startsFormula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export function csvField(value: Value): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const inert = startsFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) || inert !== value ? `"${inert.replaceAll('"', '""')}"` : inert;
}

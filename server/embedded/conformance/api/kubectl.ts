import { readFileSync } from 'node:fs';
import { comparable, differences } from '../comparable';
import { type KubectlTarget, kubectl } from '../documents/kubectl';
import type { Report } from '../result';

/** What kubectl printed of the recorded state, by what was typed. */
const RECORDED = new URL('./recorded/kubectl.json', import.meta.url);
const RECORDED_NAMESPACE = 'rec-80';
/** Nodes and events are those of another run: only what is said about the columns is compared. */
const COLUMNS_ONLY = /^get (nodes|events)\b/;

/** Compares what kubectl prints of the staged tables, in a namespace, with what it was recorded printing. */
export async function runKubectl(target: KubectlTarget, namespace: string, report: Report): Promise<void> {
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, string>;
  for (const [typed, expected] of Object.entries(recorded)) {
    const { stdout, stderr } = await kubectl(target, { args: ['--namespace', namespace, ...typed.split(' ')] });
    const neutral = (text: string, of: string) =>
      typed.startsWith('describe ') ? describedLines(text, of) : tableRows(text, of, typed);
    const details = differences(neutral(expected, RECORDED_NAMESPACE), neutral(stdout + stderr, namespace));
    report({
      suite: 'api',
      group: 'kubectl',
      name: `kubectl ${typed}`,
      outcome: details.length === 0 ? 'passed' : 'failed',
      details,
    });
  }
}

/** Pods have the labels of the place where their node is; the recorded nodes were nowhere. */
const PLACE = /,?topology\.kubernetes\.io\/(region|zone)=[^,\s]+/g;

/** The cells of a printed table, by where its columns begin; rows in an order of their own: names are drawn by lot. */
export function tableRows(text: string, namespace: string, typed: string): unknown {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const starts = [...header.matchAll(/\S+(?: \S+)*/g)].map(({ index }) => index);
  const cells = (line: string) =>
    starts.map((start, column) =>
      line
        .slice(start, starts[column + 1])
        .trim()
        .replace(PLACE, ''),
    );
  const columns = cells(header);
  if (COLUMNS_ONLY.test(typed)) return { columns };
  // Namespaces of other runs are nobody's business.
  const shown = lines.filter((line) => !typed.startsWith('get namespaces') || /^(default|kube-\S*) /.test(line));
  const rows = shown.map((line) =>
    JSON.stringify(comparable({ cells: cells(line) }, { namespace, controllers: true })),
  );
  return { columns, rows: rows.sort() };
}

const EVENT_AGE = /\b(\d+[smhd])+( \(x\d+ over (\d+[smhd])+\))?/;

/** The lines of a description without widths of columns, versions and times; events of one second are in no order. */
export function describedLines(text: string, namespace: string): string[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      const words = line
        .trim()
        .replace(/ {2,}/g, ' ')
        .replace(/^(Resource Version:) \d+$/, '$1 VERSION');
      return indent + String(comparable(words, { namespace, controllers: true }));
    });
  const events = lines.indexOf('Events:') + 1;
  if (events === 0) return lines;
  const happened = lines.slice(events).map((line) => line.replace(EVENT_AGE, 'AGE'));
  return [...lines.slice(0, events), ...happened.sort()];
}

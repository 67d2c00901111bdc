import type { Step } from '@/lib/domain/diagnosis/steps';
import type { Compared, ComparedSide, Finding, GateOutcome, GateResult, Verdict } from '@/lib/domain/diagnosis/verdict';
import { durationText, formatDuration } from '@/lib/domain/time';
import diagnosis from '@/lib/i18n/messages/en/diagnosis.json';
import sandboxes from '@/lib/i18n/messages/en/sandboxes.json';

/** Sentences of the page, by code. */
const says: Readonly<Record<string, string>> = { ...sandboxes.says, ...diagnosis.says };
const steps: Readonly<Record<string, string>> = diagnosis.step;
const gates: Readonly<Record<string, string>> = diagnosis.gate;
const losses: Readonly<Record<string, string>> = diagnosis.loss;

const duration = (ms: number): string => durationText(formatDuration(ms, { whole: true }));

/** Messages of steps have plain values only, as in `{pool}`. */
const filled = (message: string, values: Readonly<Record<string, string>>): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

const marks: Readonly<Record<GateOutcome, string>> = {
  passed: '✓',
  failed: '✕',
  waiting: '…',
  notReached: '–',
  unknown: '?',
};

const severities = { breach: 'ACT', warn: 'LATE', calm: 'ok' } as const;

/** Verdicts as text, the worst first; what is well takes one line. */
export function verdictsText(verdicts: readonly Verdict[]): string {
  const rank = { breach: 0, warn: 1, calm: 2 };
  const sorted = [...verdicts].sort((a, b) => rank[a.severity] - rank[b.severity]);
  return sorted.map((verdict) => `${verdictLines(verdict).join('\n')}\n`).join('');
}

function verdictLines(verdict: Verdict): string[] {
  const { subject, state, stage, cause, hints, unknown, gates: passed, missing, checked } = verdict;
  const head = `${severities[verdict.severity].padEnd(4)} ${subject.kind} ${subject.ns}/${subject.name} · ${[state || 'no phase', stage].filter(Boolean).join(' / ')}${clockText(verdict)}`;
  const nothingFound = verdict.severity !== 'calm' && !cause;
  return [
    head,
    ...(cause ? findingLines(cause) : []),
    ...(nothingFound ? [`     No cause found. Checked: ${checked.join(', ')}`] : []),
    ...(nothingFound && missing.length > 0 ? [`     Not given: ${missing.join(', ')}`] : []),
    ...(passed.length > 0 && (cause || nothingFound) ? gateLines(passed) : []),
    ...hints.flatMap(findingLines),
    ...unknown.map(({ path, value }) => `     Unknown to this version: ${path} = ${value}`),
  ];
}

function clockText({ dwellMs, aheadMs, atLeast, clock, limit }: Verdict): string {
  if (aheadMs !== undefined) return ` · starts ${duration(aheadMs)} ahead (${diagnosis.clock[clock]}): clocks differ`;
  if (dwellMs === undefined) return ' · start unknown';
  const past = limit?.overMs === undefined ? '' : `, ${duration(limit.overMs)} past its limit`;
  return ` · ${atLeast ? '≥ ' : ''}${duration(dwellMs)} (${diagnosis.clock[clock]}${past})`;
}

function findingLines(finding: Finding): string[] {
  const { code, kind, confidence, never, evidence, useless } = finding;
  const marksOf = [diagnosis.kind[kind], diagnosis.confidence[confidence], ...(never ? [diagnosis.never] : [])];
  return [
    `     ${code} (${marksOf.join(', ')}): ${sentence(finding)}`,
    ...evidence.map(({ path, value }) => `       ${path} = ${value.replaceAll('\n', '\n         ')}`),
    ...finding.steps.flatMap((each, index) => stepLines(each, `${index + 1}.`)),
    ...useless.map((each) => `       ${diagnosis.useless}: ${filled(steps[each.code] ?? each.code, each.values)}`),
  ];
}

function sentence({ code, never }: Finding): string {
  if (code === 'InitImageMismatch') return (never ? says.InitImageNever : says.InitImageMismatch) ?? code;
  return says[code] ?? code;
}

function stepLines({ code, values, kubectl, loses }: Step, mark: string): string[] {
  const lost = loses.map((each) => losses[each]).join(', ');
  return [
    `       ${mark} ${filled(steps[code] ?? code, values)}${lost ? ` (${diagnosis.loses}: ${lost})` : ''}`,
    ...kubectl.map((line) => `            ${line}`),
  ];
}

function gateLines(results: readonly GateResult[]): string[] {
  return results.flatMap(({ code, outcome, compared }) => [
    `       ${marks[outcome]} ${gates[code] ?? code}`,
    ...compared.flatMap(comparedLines),
  ]);
}

function comparedLines({ name, spec, status, equal }: Compared): string[] {
  return [
    `           ${name}: ${equal ? '=' : '≠'}`,
    `             spec   ${sideText(spec)}`,
    `             status ${sideText(status)}`,
    ...(spec.kind === status.kind ? [] : [`             ${diagnosis.otherKind}`]),
  ];
}

function sideText({ written, readAs, kind }: ComparedSide): string {
  return `${written} (${diagnosis.imageKind[kind]})${readAs === written ? '' : `, read as ${readAs}`}`;
}

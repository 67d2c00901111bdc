import { durationText, formatDuration } from '../time';
import type { Step } from './steps';
import type { Compared, ComparedSide, Finding, GateOutcome, GateResult, Verdict } from './verdict';

type Words = Readonly<Record<string, string>>;

/** What a verdict is told with: the messages of the page in one language, by code. Values in braces are plain. */
export interface VerdictWords {
  says: Words;
  step: Words;
  gate: Words;
  loss: Words;
  kind: Words;
  confidence: Words;
  clock: Words;
  imageKind: Words;
  never: string;
  loses: string;
  useless: string;
  otherKind: string;
  text: {
    severity: Words;
    noPhase: string;
    noCause: string;
    notGiven: string;
    unknownValue: string;
    ahead: string;
    startUnknown: string;
    past: string;
    spec: string;
    status: string;
    readAs: string;
  };
}

const duration = (ms: number): string => durationText(formatDuration(ms, { whole: true }));

/** A message whose values are plain ones, as in `{pool}`. */
export const filled = (message: string, values: Readonly<Record<string, string>>): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

const marks: Readonly<Record<GateOutcome, string>> = {
  passed: '✓',
  failed: '✕',
  waiting: '…',
  notReached: '–',
  unknown: '?',
};

type Mark = 'breach' | 'warn' | 'fault' | 'unknown' | 'calm';
const marksInOrder: readonly Mark[] = ['breach', 'warn', 'fault', 'unknown', 'calm'];

/** By how late it is; what nobody waits for may be at fault all the same, and what is not known is not well. */
function markOf({ severity, cause, unknown }: Verdict): Mark {
  if (severity !== 'calm') return severity;
  if (cause?.kind === 'fault') return 'fault';
  return unknown.length > 0 ? 'unknown' : 'calm';
}

/** Verdicts as text, the worst first; what is well takes one line. */
export function verdictsText(verdicts: readonly Verdict[], words: VerdictWords): string {
  const rank = (verdict: Verdict) => marksInOrder.indexOf(markOf(verdict));
  const sorted = [...verdicts].sort((a, b) => rank(a) - rank(b));
  return sorted.map((verdict) => `${verdictLines(verdict, words).join('\n')}\n`).join('');
}

/** State, clock, cause with its evidence and ways out, gates in the controller's order, and what else is worth knowing. */
export function verdictLines(verdict: Verdict, words: VerdictWords): string[] {
  const { subject, state, stage, cause, hints, unknown, gates: passed, missing, checked } = verdict;
  const { text } = words;
  const place = [state || text.noPhase, stage].filter(Boolean).join(' / ');
  const severity = (text.severity[markOf(verdict)] ?? '').padEnd(4);
  const nothingFound = verdict.severity !== 'calm' && !cause;
  return [
    `${severity} ${subject.kind} ${subject.ns}/${subject.name} · ${place}${clockText(verdict, words)}`,
    ...(cause ? findingLines(cause, words) : []),
    ...(nothingFound ? [`     ${filled(text.noCause, { rules: checked.join(', ') })}`] : []),
    ...(nothingFound && missing.length > 0 ? [`     ${filled(text.notGiven, { kinds: missing.join(', ') })}`] : []),
    ...(passed.length > 0 && (cause || nothingFound) ? gateLines(passed, words) : []),
    ...hints.flatMap((hint) => findingLines(hint, words)),
    ...unknown.map(({ path, value }) => `     ${filled(text.unknownValue, { path, value })}`),
  ];
}

function clockText({ dwellMs, aheadMs, atLeast, clock, limit }: Verdict, words: VerdictWords): string {
  const { text } = words;
  const from = words.clock[clock] ?? clock;
  if (aheadMs !== undefined) return ` · ${filled(text.ahead, { time: duration(aheadMs), clock: from })}`;
  if (dwellMs === undefined) return ` · ${text.startUnknown}`;
  const past = limit?.overMs === undefined ? '' : `, ${filled(text.past, { time: duration(limit.overMs) })}`;
  return ` · ${atLeast ? '≥ ' : ''}${duration(dwellMs)} (${from}${past})`;
}

function findingLines(finding: Finding, words: VerdictWords): string[] {
  const { kind, confidence, never, evidence, useless } = finding;
  const about = [words.kind[kind], words.confidence[confidence], ...(never ? [words.never] : [])];
  return [
    `     ${finding.code} (${about.join(', ')}): ${findingSentence(finding, words)}`,
    ...evidence.map(({ path, value }) => `       ${path} = ${value.replaceAll('\n', '\n         ')}`),
    ...finding.steps.flatMap((each, index) => stepLines(each, `${index + 1}.`, words)),
    ...useless.map((each) => `       ${words.useless}: ${stepText(each, words)}`),
  ];
}

/** A finding in a sentence. */
export function findingSentence({ code, never }: Pick<Finding, 'code' | 'never'>, { says }: VerdictWords): string {
  if (code === 'InitImageMismatch') return (never ? says.InitImageNever : says.InitImageMismatch) ?? code;
  return says[code] ?? code;
}

const stepText = ({ code, values }: Step, { step }: VerdictWords): string => filled(step[code] ?? code, values);

function stepLines(step: Step, mark: string, words: VerdictWords): string[] {
  const lost = step.loses.map((each) => words.loss[each]).join(', ');
  return [
    `       ${mark} ${stepText(step, words)}${lost ? ` (${words.loses}: ${lost})` : ''}`,
    ...step.kubectl.map((line) => `            ${line}`),
  ];
}

function gateLines(results: readonly GateResult[], words: VerdictWords): string[] {
  return results.flatMap(({ code, outcome, compared }) => [
    `       ${marks[outcome]} ${words.gate[code] ?? code}`,
    ...compared.flatMap((each) => comparedLines(each, words)),
  ]);
}

function comparedLines({ name, spec, status, equal }: Compared, words: VerdictWords): string[] {
  const { text, otherKind } = words;
  const width = Math.max(text.spec.length, text.status.length);
  return [
    `           ${name}: ${equal ? '=' : '≠'}`,
    `             ${text.spec.padEnd(width)} ${sideText(spec, words)}`,
    `             ${text.status.padEnd(width)} ${sideText(status, words)}`,
    ...(spec.kind === status.kind ? [] : [`             ${otherKind}`]),
  ];
}

function sideText({ written, readAs, kind }: ComparedSide, { imageKind, text }: VerdictWords): string {
  return `${written} (${imageKind[kind]})${readAs === written ? '' : `, ${filled(text.readAs, { name: readAs })}`}`;
}

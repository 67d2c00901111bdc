import type { Severity } from '../severity';
import { findingOf, type Rule } from './rule';
import type { Finding, UnknownValue, Verdict } from './verdict';

interface Judged<S> {
  subject: Verdict['subject'];
  state: string;
  rules: readonly Rule<S>[];
  scene: S;
  since?: { at: number; clock: Verdict['clock'] };
  now: number;
  /** Of a cause; calm when there is none. */
  severityOf: (cause: Finding) => Severity;
  missing: string[];
  unknown: UnknownValue[];
}

/** The verdict on what has no gates: the first rule that names a fault is the cause, the rest is told beside it. */
export function verdictOf<S>({
  subject,
  state,
  rules,
  scene,
  since,
  now,
  severityOf,
  missing,
  unknown,
}: Judged<S>): Verdict {
  const findings = rules.filter((rule) => rule.applies(scene)).map((rule) => findingOf(rule, scene));
  const cause = findings.find(({ kind }) => kind !== 'hint');
  return {
    subject,
    state,
    clock: since?.clock ?? 'unknown',
    ...(since ? { since: since.at, dwellMs: Math.max(0, now - since.at) } : {}),
    atLeast: since?.clock === 'observed',
    severity: cause ? severityOf(cause) : 'calm',
    gates: [],
    ...(cause ? { cause } : {}),
    // Beside what holds it, what it would wait for in the normal way says nothing.
    hints: findings.filter((finding) => finding !== cause && finding.kind !== 'wait'),
    checked: rules.map(({ code }) => code),
    missing,
    unknown,
  };
}

/** Names of what was not given. */
export function absent(given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
}

import type { Finding, Verdict } from '@/lib/domain/diagnosis/verdict';
import type { Label } from './labels';

const told = ({ cause, hints }: Verdict): Finding[] => [...(cause ? [cause] : []), ...hints];

/** What is wrong with the verdicts on the objects of a scenario by its label; empty when it is right. */
export function misjudged(verdicts: readonly Verdict[], label: Label, allowed: readonly string[] = []): string[] {
  const about = verdicts.filter(({ subject }) => subject.name.startsWith(label.about));
  const named = about.filter((verdict) => told(verdict)[0]?.code === label.code);
  if (named.length === 0) {
    const first = about.map((verdict) => `${verdict.subject.name}: ${told(verdict)[0]?.code ?? 'nothing'}`).join(', ');
    return [`${label.about} ${label.code}: ${first || 'no such object'}`];
  }
  const found = new Set<string>(named.flatMap((verdict) => told(verdict).slice(1)).map(({ code }) => code));
  const missing = (label.with ?? []).filter((code) => !found.has(code)).map((code) => `without ${code}`);
  return [...missing, ...alarms(verdicts, [label.code, ...(label.with ?? []), ...(label.also ?? []), ...allowed])];
}

/** What is told as wrong, or worth knowing, beyond what may be. */
export function alarms(verdicts: readonly Verdict[], allowed: readonly string[]): string[] {
  return verdicts.flatMap((verdict) => [
    ...told(verdict)
      .filter(({ kind, code }) => kind !== 'wait' && !allowed.includes(code))
      .map(({ code }) => `false ${verdict.subject.kind} ${verdict.subject.name}: ${code}`),
    ...verdict.unknown.map(({ path, value }) => `unknown ${path} ${value}`),
  ]);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Report } from '../result';
import { type Expectation, filled, type Kept, lines, linesOf } from './expectations';
import { type KubectlTarget, kubectl, type Printed } from './kubectl';

/** One command, and what it answers on any cluster with OpenKruise Agents. */
export interface Step {
  /** What is typed after `kubectl`; `$name` is what an earlier step kept, `@file` one of the manifests. */
  line: string;
  /** Lines, or what is expected of them; not looked at when absent. */
  expect?: string | Expectation;
  /** It is refused with exit code 1, and says so. */
  refused?: RegExp;
  /** Typed again until the answer is as expected. */
  eventually?: true;
  /** What ends a command that would run for ever. */
  until?: (stdout: string) => boolean;
  /** The name under which what is printed is kept. */
  keep?: string;
  /** The name of what was kept and is now read from standard input. */
  stdin?: string;
  editor?: string;
  /** It is about what only the webhooks know. */
  ofWebhooks?: true;
}

/** The commands of one user document. */
export interface Transcript {
  name: string;
  steps: readonly Step[];
}

const PATIENCE_MS = 60_000;
const MANIFESTS = fileURLToPath(new URL('manifests/', import.meta.url));

/** Types the commands in one namespace, one after the other. After one that fails the others have no ground to stand on. */
export async function typeTranscript(
  { name, steps }: Transcript,
  target: KubectlTarget,
  namespace: string,
  webhooks: boolean,
  report: Report,
): Promise<void> {
  const kept = new Map<string, string>();
  let broken: string | undefined;
  for (const step of steps) {
    const result = { suite: 'documents', group: name, name: `kubectl ${step.line}` } as const;
    const without = step.ofWebhooks && !webhooks ? 'there are no webhooks here' : broken;
    if (without !== undefined) {
      report({ ...result, outcome: 'skipped', details: [without] });
      continue;
    }
    const details = await typeStep(step, target, namespace, kept);
    if (details.length > 0) broken = `after ${result.name}`;
    report({ ...result, outcome: details.length === 0 ? 'passed' : 'failed', details });
  }
}

/** Answers what is wrong. */
async function typeStep(step: Step, target: KubectlTarget, namespace: string, kept: Map<string, string>) {
  const args = ['-n', namespace, ...wordsOf(step.line, kept)];
  const { editor, until } = step;
  const stdin = step.stdin === undefined ? undefined : kept.get(step.stdin);
  const typed = {
    args,
    ...(stdin === undefined ? {} : { stdin }),
    ...(editor === undefined ? {} : { editor }),
    ...(until === undefined ? {} : { until }),
  };
  const deadline = Date.now() + (step.eventually ? PATIENCE_MS : 0);
  for (;;) {
    const printed = await kubectl(target, typed);
    const wrong = wrongWith(step, printed, kept);
    if (wrong.length === 0 && step.keep !== undefined) kept.set(step.keep, printed.stdout.trim());
    if (wrong.length === 0 || Date.now() >= deadline) return wrong;
    await sleep(200);
  }
}

function wrongWith({ expect, refused }: Step, { code, stdout, stderr }: Printed, kept: Kept): string[] {
  const wanted = refused === undefined ? 0 : 1;
  const wrong = code === wanted ? [] : [`exit code ${code}, expected ${wanted}`, ...linesOf(stderr)];
  if (refused !== undefined && !refused.test(stderr))
    wrong.push(`said ${JSON.stringify(stderr.trim())}, not ${refused}`);
  if (expect === undefined) return wrong;
  return [...wrong, ...(typeof expect === 'string' ? lines(expect) : expect)(stdout, kept)];
}

/** The words of a command line; a quoted one may hold blanks. */
const wordsOf = (line: string, kept: Kept): string[] =>
  [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)]
    .map(([word]) => filled(word.replaceAll("'", ''), kept))
    .map((word) => word.replace(/^@/, MANIFESTS));

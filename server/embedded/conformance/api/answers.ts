import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('./answers.jsonl', import.meta.url);

/** What kube-apiserver answered, made comparable. */
export interface Answer {
  status: number;
  warning?: string;
  retryAfter?: string;
  body: unknown;
}

/** The recorded answers by the name of their check. */
export function readAnswers(): Map<string, Answer> {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const { check, request: _request, ...answer } = JSON.parse(line) as Answer & { check: string; request: string };
      return [check, answer];
    }),
  );
}

/** Writes them all anew, one a line. */
export function writeAnswers(answers: readonly { check: string; request: string; answer: Answer }[]): void {
  const lines = answers.map(({ check, request, answer }) => JSON.stringify({ check, request, ...answer }));
  writeFileSync(FILE, `${lines.join('\n')}\n`);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import type { Finding, Verdict } from '@/lib/domain/diagnosis/verdict';
import { parseDocuments, sortObjects } from './files';
import { verdictsOf } from './verdicts';

/** What real users met, as objects; the fixtures are those of the rows. Their "now": */
const now = Date.parse('2026-11-03T08:00:00Z');
export const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

function judged(text: string, at = now): Verdict[] {
  const { objects, complete } = sortObjects(parseDocuments(text, 'case'));
  const none = new Map<string, never>();
  return verdictsOf({ objects, complete, observed: none, changed: none, below: none, scaled: none, now: at, skew: 0 });
}

export const fixture = (name: string): Verdict[] =>
  judged(readFileSync(path.join(import.meta.dirname, `../kube/rows/fixtures/${name}.yaml`), 'utf8'));

export const objects = (...list: object[]): Verdict[] => judged(stringify({ kind: 'List', items: list }));

/** Documents of a file one by one, as somebody may have chosen them. */
export const single = (text: string): Verdict[] => judged(text);

export function on(verdicts: Verdict[], name: string): Verdict {
  const verdict = verdicts.find(({ subject }) => subject.name.endsWith(name));
  if (!verdict) throw new Error(`no verdict on ${name}`);
  return verdict;
}

export const codes = ({ cause, hints }: Verdict): string[] =>
  [...(cause ? [cause] : []), ...hints].map(({ code }: Finding) => code);

export const sandbox = (name: string, rest: { metadata?: object; spec?: object; status?: object }) => ({
  apiVersion: 'agents.kruise.io/v1alpha1',
  kind: 'Sandbox',
  metadata: { name, namespace: 'kelp-lab', creationTimestamp: ago(7200), ...rest.metadata },
  spec: { template: {}, ...rest.spec },
  status: rest.status,
});
export const claimed = { labels: { 'agents.kruise.io/sandbox-claimed': 'true' } };
export const condition = (type: string, status: string, reason: string, seconds: number, message = '') => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: ago(seconds),
});

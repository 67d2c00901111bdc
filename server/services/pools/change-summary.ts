import 'server-only';
import { redactText } from '@/lib/domain/redact';
import type { TemplateDifference } from '@/lib/domain/templates';

/** A change of a template in words that may be logged and listed: environment variables by name only. */
export type ChangeSummary = { summary: string; before: Record<string, string>; after: Record<string, string> };

const inEnv = /\.env(\[([^\]]+)\]|$)/;
const longest = 200;

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
const short = (text: string) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

function said(difference: TemplateDifference, side: 'before' | 'after'): string | undefined {
  if (!(side in difference)) return undefined;
  const value = difference[side];
  return inEnv.test(difference.path) || !isScalar(value) ? '…' : short(redactText(String(value)));
}

function phrase(difference: TemplateDifference): string {
  const env = inEnv.exec(difference.path);
  const name = env?.[2] ?? '';
  if (env) return `env ${name}${difference.kind === 'changed' ? '' : ` ${difference.kind}`}`.replace('  ', ' ');
  const field = difference.path.replace(/^spec\.(init)?[cC]ontainers\[[^\]]+\]\./, '').replace(/^resources\./, '');
  const [from, to] = [said(difference, 'before'), said(difference, 'after')];
  if (difference.kind === 'changed' && isScalar(difference.before) && isScalar(difference.after)) {
    return `${field} ${from} → ${to}`;
  }
  return difference.kind === 'changed' ? field : `${field} ${difference.kind}`;
}

export function summarize(differences: readonly TemplateDifference[]): ChangeSummary {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  for (const difference of differences) {
    const [from, to] = [said(difference, 'before'), said(difference, 'after')];
    if (from !== undefined) before[difference.path] = from;
    if (to !== undefined) after[difference.path] = to;
  }
  return { summary: short(differences.map(phrase).join(', ')) || 'no change', before, after };
}

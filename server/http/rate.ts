import 'server-only';
import { once } from '../once';

const burst = 40;
const perSecond = 4;

type Bucket = { tokens: number; at: number };
const buckets = once('http.rate', () => new Map<string, Bucket>());

/**
 * Takes one token of this person's bucket: 40 writes at once (dry runs count), 4 a second after that.
 * @returns seconds to wait, 0 when the write may go
 */
export function takeToken(subject: string, now: number): number {
  if (buckets.size > 10_000) buckets.clear();
  const known = buckets.get(subject) ?? { tokens: burst, at: now };
  const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond);
  const left = tokens >= 1 ? tokens - 1 : tokens;
  buckets.set(subject, { tokens: left, at: now });
  return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perSecond);
}

import { expect } from 'vitest';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const address = /\b(?!127\.0\.0\.1)\d{1,3}(\.\d{1,3}){3}\b/g;
/** Another run gives other values; what stays the same within a run must do so here too. */
const named = new Set(['sandboxID', 'envdAccessToken', 'id', 'key']);
const free = /hash-immutable-part$|sandbox-ip$|^request_id$/;
const stepMs = 60_000;
/** How many tries there was time for depends on the machine. */
const tries = /(pick sandbox failures: .*"count":)\d+/;

/** What was called so in a recording is called otherwise here. */
export class Names {
  readonly #ours = new Map<string, string>();

  learn(recorded: string, ours: string): void {
    this.#ours.set(recorded, ours);
    // Of an id, the name is the second half.
    const [, name] = recorded.split('--');
    const [, our] = ours.split('--');
    if (name !== undefined && our !== undefined) this.#ours.set(name, our);
  }

  of(text: string): string {
    const longestFirst = [...this.#ours].sort(([a], [b]) => b.length - a.length);
    return longestFirst.reduce((result, [recorded, ours]) => result.replaceAll(recorded, ours), text);
  }
}

interface Moments {
  /** Epoch milliseconds of the exchange, then and now. */
  recordedMs: number;
  nowMs: number;
}

/** Expects an answer of the recorded shape: the same fields in the same order, and values that say the same. */
export function expectAnswer(ours: unknown, recorded: unknown, names: Names, moments: Moments): void {
  learn(recorded, ours, names);
  const expected = JSON.parse(names.of(JSON.stringify(recorded))) as unknown;
  expect(neutral(ours, '', moments.nowMs)).toEqual(neutral(expected, '', moments.recordedMs));
  expect(fieldsOf(ours)).toEqual(fieldsOf(expected));
}

function learn(recorded: unknown, ours: unknown, names: Names): void {
  if (typeof recorded !== 'object' || recorded === null || typeof ours !== 'object' || ours === null) return;
  for (const [field, value] of Object.entries(recorded)) {
    const other = (ours as Record<string, unknown>)[field];
    const isName = named.has(field) && names.of(String(value)) === value;
    if (isName && typeof value === 'string' && typeof other === 'string') names.learn(value, other);
    else learn(value, other, names);
  }
}

/** What differs between two runs is taken away; ends and starts become their distance from the exchange. */
function neutral(value: unknown, field: string, atMs: number): unknown {
  if (typeof value === 'string') {
    if (free.test(field)) return value === 'not-hex' ? value : 'SOMETHING';
    if (!time.test(value)) return value.replace(address, 'ADDRESS').replace(tries, '$1SOME');
    if (field !== 'startedAt' && field !== 'endAt') return 'TIME';
    return value.startsWith('0001') ? value : near(Date.parse(value) - atMs);
  }
  if (Array.isArray(value)) return value.map((item) => neutral(item, field, atMs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, neutral(child, key, atMs)]));
}

/** All spans are multiples of a minute, so half of one does not matter. */
const near = (ms: number) => `${Math.round(ms / stepMs)} min`;

const fieldsOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fieldsOf);
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).map(([key, child]) => [key, fieldsOf(child)]);
};

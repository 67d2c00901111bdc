import { deepEqual, isFields } from '../core/objects';

type Rule = (self: unknown, oldSelf: unknown) => boolean;

const has = (self: unknown, field: string) => isFields(self) && self[field] !== undefined;

const field = (self: unknown, name: string) => (isFields(self) ? self[name] : undefined);

const UNITS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a Go duration such as `1m30s`, or undefined. */
export function parseDuration(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const match = /^([+-]?)((?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+)$/.exec(text);
  if (match === null) return text === '0' ? 0 : undefined;
  let total = 0;
  for (const [, amount, unit] of (match[2] ?? '').matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g)) {
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  }
  return match[1] === '-' ? -total : total;
}

const durationBetween =
  (least: number, most: number): Rule =>
  (self) => {
    const value = parseDuration(self);
    return value !== undefined && value >= least && value <= most;
  };

/** The validation rules that the served definitions contain, each written out by hand. */
const RULES: Record<string, Rule> = {
  'self == oldSelf': (self, oldSelf) => oldSelf === undefined || deepEqual(self, oldSelf),
  "duration(self) >= duration('1s')": durationBetween(1_000, Number.POSITIVE_INFINITY),
  "duration(self) >= duration('500ms') && duration(self) <= duration('30s')": durationBetween(500, 30_000),
  'has(self.ingress) || has(self.egress)': (self) => has(self, 'ingress') || has(self, 'egress'),
  '[has(self.cidr), has(self.fqdn), has(self.service), has(self.workload)].filter(x, x).size() == 1': (self) =>
    ['cidr', 'fqdn', 'service', 'workload'].filter((name) => has(self, name)).length === 1,
  '!has(self.endPort) || has(self.port)': (self) => !has(self, 'endPort') || has(self, 'port'),
  '!has(self.endPort) || self.endPort >= self.port': (self) =>
    !has(self, 'endPort') || Number(field(self, 'endPort')) >= Number(field(self, 'port')),
};

/** Whether a rule holds. A rule that is not written out here holds: CEL itself is not interpreted. */
export function celRuleHolds(rule: string, self: unknown, oldSelf: unknown): boolean {
  return RULES[rule]?.(self, oldSelf) ?? true;
}

import { expect, it } from 'vitest';
import { verdictsOf } from '../verdicts';
import { HealthyCluster } from './traffic.testing';

const hour = 3_600_000;
const start = Date.parse('2026-11-03T00:00:00Z');

const kinds = [
  'claim',
  'claim expired',
  'pause',
  'resume',
  'upgrade',
  'delete',
  'run out',
  'give back',
  'scale',
  'roll out',
];

/** What is true of a sandbox that was used before, and of one taken before a rollout, whoever is to blame. */
const facts: readonly string[] = ['NotReset', 'OutdatedClaimed'];

it.each([1, 2, 3, 4, 5])('ten hours of healthy traffic raise nothing (seed %i)', { timeout: 120_000 }, (seed) => {
  const cluster = new HealthyCluster(start, seed);
  const raised = new Set<string>();
  for (const world of cluster.run(start + 10 * hour)) {
    for (const { subject, state, stage, severity, cause, hints, unknown } of verdictsOf(world)) {
      const faults = [...(cause ? [cause] : []), ...hints]
        .filter(({ kind, code }) => kind !== 'wait' && !facts.includes(code))
        .map(({ code }) => code);
      if (severity === 'calm' && faults.length + unknown.length === 0) continue;
      const hours = ((world.now - start) / hour).toFixed(4);
      raised.add(
        `${hours} h ${subject.kind} ${subject.name} ${state}/${stage} ${severity}: ${faults.join()} ${cause?.code}`,
      );
    }
  }
  expect([...raised].slice(0, 10)).toEqual([]);
  for (const what of kinds) {
    expect(cluster.counts[what], what).toBeGreaterThanOrEqual(what === 'roll out' ? 2 : 5);
  }
});

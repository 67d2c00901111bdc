import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traps } from '@/lib/domain/diagnosis/traps';
import type { Verdict } from '@/lib/domain/diagnosis/verdict';
import { namespaceOf, trapScenarios } from '@/server/embedded/scenarios/traps/index';
import { verdictsOf } from '../verdicts';
import { type Snapshot, startLabelled, worldOf } from './cluster.testing';
import { alarms, misjudged } from './judge';
import { labels, silent } from './labels';
import { seconds, with2nd } from './second';

const names = Object.keys(labels);
const namespace = (name: string): string => {
  const scenario = trapScenarios[name];
  if (!scenario) throw new Error(`no scenario ${name}`);
  return namespaceOf(name, scenario);
};

/** Of the verdicts on a world, those on the objects of one scenario. */
const of = (verdicts: readonly Verdict[], name: string): Verdict[] =>
  verdicts.filter(({ subject }) => subject.ns === namespace(name) || subject.ns.startsWith(`${namespace(name)}-`));

it('every trap scenario has a label, or is one that no rule finds', () => {
  expect([...names, ...silent].sort()).toEqual(Object.keys(trapScenarios).sort());
});

it('each label names a rule of each trap of its scenario', () => {
  const wrong = names.flatMap((name) => {
    const { code, with: beside = [], also = [] } = labels[name] ?? { code: '' };
    const named: readonly string[] = [code, ...beside, ...also];
    return Object.keys(trapScenarios[name]?.traps ?? {}).filter((trap) => {
      const known = traps[trap];
      return known && 'rules' in known && !known.rules.some((rule) => named.includes(rule));
    });
  });
  expect(wrong).toEqual([]);
});

describe('all of them side by side in one cluster', () => {
  let cluster: Awaited<ReturnType<typeof startLabelled>>;
  let snapshot: Snapshot;

  beforeAll(async () => {
    cluster = await startLabelled();
    await Promise.all([...names, ...silent].filter((name) => !trapScenarios[name]?.wide).map(cluster.stand));
    snapshot = await cluster.snapshot();
  }, 60_000);
  afterAll(() => cluster.close());

  it.each(names)('%s, looked at alone: the right cause comes first, and no other', (name) => {
    const label = labels[name];
    if (!label) return;
    const verdicts = verdictsOf(worldOf(snapshot, [namespace(name)], label.after ?? 0));
    expect(misjudged(verdicts, label)).toEqual([]);
  });

  it.each(silent.filter((name) => !trapScenarios[name]?.wide))('%s raises nothing', (name) => {
    expect(alarms(verdictsOf(worldOf(snapshot, [namespace(name)], 0)), [])).toEqual([]);
  });

  it('each two of them: the right cause comes first in both', () => {
    const wrong: string[] = [];
    let pairs = 0;
    for (const [index, one] of names.entries()) {
      for (const other of names.slice(index + 1)) {
        pairs++;
        for (const [name, beside] of [
          [one, other],
          [other, one],
        ] as const) {
          const label = labels[name];
          if (!label) continue;
          const world = worldOf(snapshot, [namespace(name), namespace(beside)], label.after ?? 0);
          // Two pools of one name are worth knowing of, whoever made them.
          const found = misjudged(of(verdictsOf(world), name), label, ['PoolNameTwice']);
          wrong.push(...found.map((what) => `${name} beside ${beside}: ${what}`));
        }
      }
    }
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(pairs).toBe((names.length * (names.length - 1)) / 2);
  }, 60_000);

  it.each(seconds)('and $name on the same sandbox: what holds it comes first, the other beside it', (second) => {
    let tried = 0;
    const wrong: string[] = [];
    for (const [name, label] of Object.entries(labels)) {
      const judge = (shot: Snapshot) => verdictsOf(worldOf(shot, [namespace(name)], label.after ?? 0));
      const held = judge(snapshot).find(
        ({ subject, cause }) => subject.kind === 'Sandbox' && cause?.code === label.code,
      );
      if (!held || (second.in && !second.in.includes(held.state))) continue;
      // Without a Pod there is no node to speak of.
      if (second.node && held.gates.length === 0) continue;
      tried++;
      const verdict = judge(with2nd(snapshot, second, held.subject.uid)).find(
        ({ subject }) => subject.uid === held.subject.uid,
      );
      const told = verdict?.hints.map(({ code }) => code) ?? [];
      const cause = verdict?.cause?.code;
      if (second.becomesCause) {
        if (!cause || !second.tells.includes(cause)) wrong.push(`${name}: ${cause} first`);
      } else {
        if (cause !== label.code) wrong.push(`${name}: ${cause} instead of ${label.code}`);
        if (!second.tells.every((code) => told.includes(code))) wrong.push(`${name}: told ${told.join()}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(0);
  });
});

/**
 * By hand, LABELLED=started: each of them started in a cluster of its own, and each with its neighbour in the table.
 * It takes minutes, for what is judged above from one cluster.
 */
describe.runIf(process.env.LABELLED === 'started')('started', () => {
  const alone: string[][] = names.map((name) => [name]);
  const pairs: string[][] = names.map((name, index) => [name, names[(index + 1) % names.length] ?? name]);
  const together = [...alone, ...pairs].map((started) => ({ started }));

  it.each(together)('$started', { timeout: 120_000 }, async ({ started }) => {
    const cluster = await startLabelled();
    try {
      await Promise.all(started.map(cluster.stand));
      const snapshot = await cluster.snapshot();
      for (const name of started) {
        const label = labels[name];
        if (!label) continue;
        const verdicts = of(verdictsOf(worldOf(snapshot, started.map(namespace), label.after ?? 0)), name);
        expect(misjudged(verdicts, label, ['PoolNameTwice']), name).toEqual([]);
      }
    } finally {
      await cluster.close();
    }
  });
});

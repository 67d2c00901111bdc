import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Finding, Verdict } from '@/lib/domain/diagnosis/verdict';
import { readRecording } from '@/server/testing/play';
import { worldAt } from './play';
import { verdictsOf } from './verdicts';
import { kinds, type Plural, type World } from './world';

const recordings = readdirSync(path.join(import.meta.dirname, '../testing/recordings')).map(
  (file) => path.parse(file).name,
);

const told = ({ cause, hints }: Verdict): Finding[] => [...(cause ? [cause] : []), ...hints];

/** As if nobody had asked for a kind: none of its objects, and no knowing that there are none. */
function without(world: World, kind: Plural): World {
  const complete = new Set([...world.complete].filter((each) => each !== kind));
  return { ...world, complete, objects: { ...world.objects, [kind]: new Map() } };
}

/** A kind that is named by what a finding rests on: `Pod status.phase`, `Event PatchFailed`, `counted: …`. */
const restsOn = ({ evidence }: Finding, kind: string): boolean =>
  evidence.some(({ path: where }) => where === kind || where.startsWith(`${kind} `) || where.startsWith(`${kind}:`));

it.each(['pods', 'events', 'sandboxsets', 'sandboxupdateops', 'sandboxtemplates', 'checkpoints'] as const)(
  'without %s nothing is told that rests on them, in any recording',
  (kind) => {
    const wrong = new Set<string>();
    let compared = 0;
    for (const name of recordings) {
      const recording = readRecording(name);
      const end = recording.events.at(-1)?.t ?? 0;
      for (let t = 2; t <= end + 2; t += 3) {
        const world = worldAt(recording, t);
        for (const verdict of verdictsOf(without(world, kind))) {
          compared++;
          for (const finding of told(verdict)) {
            if (restsOn(finding, kinds[kind])) wrong.add(`${name} ${verdict.subject.name}: ${finding.code}`);
            // Every finding says what it rests on.
            if (finding.evidence.length === 0) wrong.add(`${name} ${finding.code} without evidence`);
          }
        }
      }
    }
    expect([...wrong]).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  },
);

it('what is told without Pods is told with them as well, or they say more', () => {
  // A cause of the sandbox itself stays; one of its Pod may come before it, never the other way round.
  const wrong = new Set<string>();
  for (const name of recordings) {
    const recording = readRecording(name);
    const end = recording.events.at(-1)?.t ?? 0;
    for (let t = 2; t <= end + 2; t += 3) {
      const world = worldAt(recording, t);
      const whole = new Map(verdictsOf(world).map((verdict) => [verdict.subject.uid, verdict]));
      for (const { subject, state, cause } of verdictsOf(without(world, 'pods'))) {
        const full = whole.get(subject.uid);
        if (state !== full?.state) wrong.add(`${name} ${subject.name}: ${state}, and with Pods ${full?.state}`);
        if (cause && !full?.cause) wrong.add(`${name} ${subject.name}: ${cause.code}, and with Pods nothing`);
      }
    }
  }
  expect([...wrong]).toEqual([]);
});

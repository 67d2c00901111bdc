import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '@/lib/domain/diagnosis/verdict';
import { readRecording } from '@/server/testing/play';
import { stories } from './expected';
import { disagreement } from './expected/compare';
import { ways } from './expected/ways';
import { playRecording, worldAt } from './play';
import type { Recording } from './recording';
import { verdictsOf } from './verdicts';
import type { World } from './world';

const recordings = readdirSync(path.join(import.meta.dirname, '../testing/recordings')).map(
  (file) => path.parse(file).name,
);

function found(verdicts: readonly Verdict[], name: string): Verdict {
  const verdict = verdicts.find(({ subject }) => subject.name === name);
  if (!verdict) throw new Error(`no verdict on ${name}`);
  return verdict;
}

it('every recording is in the table', () => {
  expect(Object.keys(stories).sort()).toEqual(recordings.sort());
});

/** At each event, and each second while nothing happens. */
function* looks(recording: Recording): Generator<World & { t: number }> {
  let index = 0;
  for (const world of playRecording(recording)) {
    yield world;
    index++;
    const next = recording.events[index]?.t ?? world.t;
    for (let t = world.t + 1; t < next; t++) yield { ...world, t, now: recording.start + t * 1000 };
  }
}

describe('at every event, and every second between two', () => {
  it.each(recordings)('%s: state, start, cause and hints are those that are written down', (name) => {
    const recording = readRecording(name);
    const wrong = new Set<string>();
    const seen = new Set<string>();
    for (const world of looks(recording)) {
      for (const verdict of verdictsOf(world)) {
        seen.add(verdict.subject.name);
        expect(verdict.unknown).toEqual([]);
        const told = disagreement(verdict, stories[name]?.[verdict.subject.name], world.t, recording.start);
        if (told) wrong.add(told);
      }
    }
    expect([...wrong].slice(0, 20)).toEqual([]);
    expect([...seen].sort()).toEqual(Object.keys(stories[name] ?? {}).sort());
  });
});

describe('what was tried', () => {
  it.each(ways)('$recording $at s: $name $code: $first', ({ recording, at, name, code, first, useless = [] }) => {
    const { cause, hints } = found(verdictsOf(worldAt(readRecording(recording), at)), name);
    const finding = [...(cause ? [cause] : []), ...hints].find((each) => each.code === code);
    expect(finding?.steps[0]?.code).toBe(first);
    expect(finding?.useless.map((step) => step.code)).toEqual(expect.arrayContaining([...useless]));
  });
});

describe('the resume that hangs', () => {
  const recording = readRecording('resume-stuck-digest-init-container');

  it('is called within two seconds of its new Pod running, each time one runs', () => {
    // As the recording has it: the Pod of the resume, and the one made after that was deleted.
    for (const running of [11.66, 109.4]) {
      const { cause, severity } = found(verdictsOf(worldAt(recording, running + 2)), 'pinned');
      expect(cause).toMatchObject({ code: 'InitImageMismatch', never: true });
      expect(severity).toBe('breach');
    }
  });

  it('shows both names with their kinds, and the two lines that free it in their order', () => {
    const { gates, cause } = found(verdictsOf(worldAt(recording, 60)), 'pinned');
    const [compared] = gates.find(({ code }) => code === 'InitImages')?.compared ?? [];
    expect(compared).toMatchObject({ equal: false, spec: { kind: 'reference' }, status: { kind: 'image-id' } });
    expect(compared?.spec.written).toContain('@sha256:');
    const lines = cause?.steps[0]?.kubectl ?? [];
    expect(lines[0]).toContain('/spec/template/spec/initContainers/0/image');
    expect(lines[0]).not.toContain('@sha256');
    expect(lines[1]).toMatch(/delete pod\/pinned$/);
  });
});

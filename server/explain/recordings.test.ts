import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose } from '@/lib/domain/diagnosis/diagnose';
import type { Finding, Verdict } from '@/lib/domain/diagnosis/verdict';
import { digestPod, projectSandbox } from '@/server/kube/rows';
import { readRecording } from '@/server/testing/play';
import { fires } from './expected/fires';
import { moments } from './expected/moments';
import { playRecording, worldAt } from './play';
import { verdictsOf } from './verdicts';

const recordings = readdirSync(path.join(import.meta.dirname, '../testing/recordings')).map(
  (file) => path.parse(file).name,
);

const findings = ({ cause, hints }: Verdict): Finding[] => [...(cause ? [cause] : []), ...hints];

function found(verdicts: readonly Verdict[], name: string): Verdict {
  const verdict = verdicts.find(({ subject }) => subject.name === name);
  if (!verdict) throw new Error(`no verdict on ${name}`);
  return verdict;
}

it('every recording is in the table', () => {
  expect(Object.keys(fires).sort()).toEqual(recordings.sort());
});

describe('at every event', () => {
  it.each(recordings)('%s: what it raises is what happened, and nothing else', (name) => {
    const recording = readRecording(name);
    const raised: Record<string, Set<string>> = {};
    const note = (verdict: Verdict) => {
      for (const { code, kind } of findings(verdict)) {
        if (kind === 'wait') continue;
        raised[verdict.subject.name] ??= new Set();
        raised[verdict.subject.name]?.add(code);
      }
      expect(verdict.unknown).toEqual([]);
    };
    for (const world of playRecording(recording)) verdictsOf(world).forEach(note);
    // What only time tells, of what is asked about in the table below.
    for (const { at } of moments.filter(({ recording: of }) => of === name)) {
      verdictsOf(worldAt(recording, at)).forEach(note);
    }
    const sorted = Object.fromEntries(Object.entries(raised).map(([object, codes]) => [object, [...codes].sort()]));
    const expected = Object.entries(fires[name] ?? {}).map(([object, codes]) => [object, [...codes].sort()]);
    expect(sorted).toEqual(Object.fromEntries(expected));
  });
});

/** What a verdict says beyond the row of the same moment, because it knows more than the sandbox and its Pod. */
const refined: Readonly<Record<string, string>> = {
  TemplateMissing: 'PodMissing',
  RuntimeTemplateMissing: 'PodMissing',
  OperationPaused: 'WaitingForPatch',
};

it('a row has the cause of the verdict, at every event of every recording', () => {
  let compared = 0;
  for (const name of recordings) {
    for (const world of playRecording(readRecording(name))) {
      for (const [key, object] of world.objects.sandboxes) {
        const row = projectSandbox(object, digestPod(world.objects.pods.get(key)));
        const verdict = diagnose({ sandbox: object, pod: world.objects.pods.get(key) ?? null, now: world.now });
        const code = verdict.cause?.code;
        // That a Pod is gone from under one that runs is for a verdict to say.
        const gone = code === 'PodMissing' && (verdict.state === 'Running' || verdict.state === 'Available');
        expect(row?.cause?.code, `${name} ${key} ${world.t}`).toBe(gone ? undefined : code && (refined[code] ?? code));
        expect(row?.cause?.never ?? false).toBe(verdict.cause?.never ?? false);
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(10_000);
});

describe('at a moment', () => {
  it.each(moments)('$recording $at s: $name $state $code', (moment) => {
    const recording = readRecording(moment.recording);
    const verdict = found(verdictsOf(worldAt(recording, moment.at)), moment.name);
    expect(verdict.state).toBe(moment.state);
    if (moment.stage !== undefined) expect(verdict.stage).toBe(moment.stage);
    // Times of objects are whole seconds, and so is the start of a recording.
    if (moment.since !== undefined) {
      expect((Number(verdict.since) - recording.start) / 1000, verdict.clock).toBeGreaterThan(moment.since - 1.2);
      expect((Number(verdict.since) - recording.start) / 1000, verdict.clock).toBeLessThan(moment.since + 1.2);
    }
    if (moment.code === undefined) {
      expect(verdict.cause).toBeUndefined();
      expect(verdict.severity).toBe('calm');
      return;
    }
    const finding = findings(verdict).find(({ code }) => code === moment.code);
    expect(
      finding,
      findings(verdict)
        .map(({ code }) => code)
        .join(),
    ).toBeDefined();
    if (moment.never) expect(finding?.never).toBe(true);
    if (moment.first) expect(finding?.steps[0]?.code).toBe(moment.first);
    expect(finding?.useless.map(({ code }) => code)).toEqual(expect.arrayContaining([...(moment.useless ?? [])]));
  });
});

describe('the resume that hangs', () => {
  const recording = readRecording('resume-stuck-digest-init-container');

  it('is called within two seconds of its new Pod running, each time one runs', () => {
    let running: number | undefined;
    const delays: number[] = [];
    for (const world of playRecording(recording)) {
      const pod =
        world.objects.pods.get('rec-07/pinned') ??
        [...world.objects.pods.values()].find(({ metadata }) => metadata.name === 'pinned');
      const sandbox = [...world.objects.sandboxes.values()].find(({ metadata }) => metadata.name === 'pinned');
      const resuming = JSON.stringify(sandbox?.status ?? {}).includes('"phase":"Resuming"');
      const runs =
        JSON.stringify(pod?.status ?? {}).includes('"phase":"Running"') &&
        pod?.metadata.deletionTimestamp === undefined;
      if (!resuming || !runs || world.t > 138) running = undefined;
      else running ??= world.t;
      if (running === undefined || !sandbox) continue;
      const { cause, severity } = found(verdictsOf(world), 'pinned');
      if (!cause?.never || severity !== 'breach') continue;
      delays.push(world.t - running);
      running = Number.POSITIVE_INFINITY;
    }
    const first = delays.filter((delay) => delay >= 0);
    expect(first).toHaveLength(2);
    for (const delay of first) expect(delay).toBeLessThan(2);
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

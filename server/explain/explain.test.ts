import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ExplainOptions, explain } from './explain';
import { InputError } from './input-error';

const recording = path.join(import.meta.dirname, '../testing/recordings/resume-stuck-digest-init-container.jsonl');
const resuming = path.join(import.meta.dirname, '../kube/rows/fixtures/resuming-digest-vs-image-id.yaml');
const now = Date.parse('2026-11-03T08:00:00Z');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'explain-'));
  return () => rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

const reply = z.object({
  judgedAt: z.string(),
  clockSkewMs: z.number(),
  notes: z.array(z.string()),
  verdicts: z.array(
    z.looseObject({
      subject: z.object({ kind: z.string(), ns: z.string(), name: z.string(), uid: z.string() }),
      state: z.string(),
      since: z.string().optional(),
      clock: z.string(),
      severity: z.string(),
      cause: z
        .object({
          code: z.string(),
          confidence: z.string(),
          evidence: z.array(z.object({ path: z.string(), value: z.string() })).min(1),
          steps: z.array(z.looseObject({ code: z.string(), kubectl: z.array(z.string()) })),
          useless: z.array(z.looseObject({ code: z.string() })),
        })
        .optional(),
    }),
  ),
});
const asJson = (options: ExplainOptions, clock?: number) =>
  reply.parse(JSON.parse(explain({ ...options, json: true }, clock)));

describe('objects of files', () => {
  it('are judged at the time that is given', () => {
    const { judgedAt, verdicts } = asJson({ files: [resuming], now });
    expect(judgedAt).toBe('2026-11-03T08:00:00.000Z');
    expect(verdicts).toHaveLength(1);
    expect(verdicts[0]).toMatchObject({
      state: 'Resuming',
      since: '2026-11-03T07:18:00.000Z',
      clock: 'condition',
      cause: { code: 'InitImageMismatch', confidence: 'certain' },
    });
  });

  it('are judged by the clock here, and theirs is brought to it when it is ahead', () => {
    expect(asJson({ files: [resuming] }, now).clockSkewMs).toBe(0);
    // Their newest time is 07:18:09.
    const behind = Date.parse('2026-11-03T07:18:00Z');
    const reread = asJson({ files: [resuming] }, behind);
    expect(reread.clockSkewMs).toBe(9000);
    expect(reread.verdicts[0]?.since).toBe('2026-11-03T07:17:51.000Z');
  });

  it('come in lists, typed lists, several documents and several files', () => {
    const sandbox = (name: string) => ({
      metadata: { name, namespace: 'a' },
      spec: { template: {} },
      status: { phase: 'Pending' },
    });
    const list = file('list.json', JSON.stringify({ kind: 'List', items: [{ kind: 'Sandbox', ...sandbox('one') }] }));
    const typed = file('typed.json', JSON.stringify({ kind: 'SandboxList', items: [sandbox('two')] }));
    const pods = file('pods.json', JSON.stringify({ kind: 'PodList', items: [] }));
    const { verdicts } = asJson({ files: [list, typed, pods, resuming], now });
    expect(verdicts.map(({ subject }) => subject.name)).toEqual(['one', 'two', 'harbor-shell-7kq2m']);
    // All Pods are in the list, and these have none.
    expect(verdicts[0]?.cause?.code).toBe('PodMissing');
    expect(asJson({ files: [list], now }).verdicts[0]?.cause).toBeUndefined();
  });

  it('one by one may be a choice: what is not among them may exist', () => {
    const one = file(
      'one.yaml',
      'kind: Sandbox\nmetadata: {name: one}\nspec: {template: {}}\nstatus: {phase: Pending}\n',
    );
    const verdict = asJson({ files: [one, resuming], now }).verdicts.find(({ subject }) => subject.name === 'one');
    expect(verdict?.cause).toBeUndefined();
    expect(verdict).toMatchObject({ missing: expect.arrayContaining(['Pod']) });
  });

  it('written by hand keep a label that is no text', () => {
    const hand = file(
      'hand.yaml',
      'kind: Sandbox\nmetadata: {name: h, labels: {tier: 1, on: true}}\nspec: {template: {}}\n',
    );
    expect(asJson({ files: [hand], now }).verdicts.map(({ subject }) => subject.name)).toEqual(['h']);
  });

  it('give away no secret', () => {
    const secrets = path.join(import.meta.dirname, '../../lib/domain/fixtures/secrets-in-annotations.yaml');
    for (const json of [true, false]) expect(explain({ files: [secrets], now, json })).not.toContain('SECRET-');
  });

  it('that are at fault, or hold what nobody knows, are not called well though no time limit is passed', () => {
    const text = (rest: string) =>
      explain({ files: [file('one.yaml', `kind: Sandbox\nmetadata: {name: one}\n${rest}`)], now });
    // Nothing is late, and nothing will ever come of it.
    expect(text('spec: {}')).toMatch(/^SEE {2}Sandbox .*· Creating/m);
    expect(text('spec: {template: {}}\nstatus: {phase: Dreaming}')).toMatch(/^\? {4}Sandbox .*· Other/m);
    const ready = '{type: Ready, status: "True", reason: PodReady}';
    const runs = `spec: {template: {}}\nstatus: {phase: Running, nodeName: n, conditions: [${ready}]}`;
    expect(text(runs)).toMatch(/^ok {3}Sandbox /m);
  });

  it('of other kinds are counted and left out', () => {
    const more = file('more.yaml', 'kind: ConfigMap\nmetadata: {name: c}\n');
    expect(asJson({ files: [resuming, more], now }).notes).toEqual([expect.stringContaining('1 documents')]);
  });
});

describe('a recording', () => {
  it('is explained at its seconds, or at its end', () => {
    const at = (seconds: number) => asJson({ files: [recording], at: seconds }).verdicts[0];
    expect(at(60)).toMatchObject({ state: 'Resuming', cause: { code: 'InitImageMismatch' } });
    expect(asJson({ files: [recording] }).verdicts[0]).toMatchObject({ state: 'Running', severity: 'calm' });
  });

  it('as text names both images, the ways out in order, and what does not help', () => {
    const text = explain({ files: [recording], at: 60 });
    expect(text).toMatch(/^ACT {2}Sandbox .*pinned · Resuming · \d+ s \(condition time\b/m);
    expect(text).toMatch(/spec {3}registry.local\/agent-runtime@sha256:\w+ \(a name to pull by\)/);
    expect(text).toMatch(/status sha256:\w+ \(an image ID\)/);
    expect(text).toMatch(
      /1\. In the sandbox's template[^\n]*\n +kubectl .* patch [^\n]*\n +kubectl .* delete pod\/pinned/,
    );
    expect(text).toContain('Does not help: Delete the pod alone');
    expect(text).toMatch(/^ok {3}Sandbox .*tagged · Running/m);
    expect(text).not.toMatch(/\{\w+\}|undefined/);
  });
});

describe('what cannot be read is refused in one line', () => {
  it.each([
    ['a file that is cut', 'cut.yaml', 'kind: Pod\nmetadata: {name: a\nspec: [', /cut\.yaml line \d+ column \d+: /],
    ['JSON that is cut', 'cut.json', '{"kind":"List","items":[{"kind":"Sandbox"', /cut\.json line 1 column \d+: /],
    [
      'a mistake in one of several documents',
      'several.yaml',
      'kind: Pod\nmetadata: {name: a}\n---\nkind: Pod\nmetadata: {name: b\n',
      /several\.yaml document 2, line \d+ column \d+: /,
    ],
    ['a key twice', 'twice.yaml', 'kind: Sandbox\nmetadata: {name: a, name: b}\n', /line 2 column \d+: Map keys/],
    ['no object', 'text.yaml', 'just text', /nothing to explain/],
    ['nothing', 'empty.yaml', '', /nothing to explain/],
    [
      'aliases without end',
      'bomb.yaml',
      `${['a: &a [x,x,x,x,x,x,x,x,x]', ...'bcdefg'.split('').map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdef'[index]}`).join()}]`)].join('\n')}\n`,
      /aliases/,
    ],
    [
      'a recording that is cut',
      'cut.jsonl',
      '{"scenario":"s","date":"2026-11-29T22:30:00Z","namespace":"n"}\n{"t":1,"kind":"pods","type":"ADD',
      /cut\.jsonl line 2 is no watch event/,
    ],
  ])('%s', (_, name, text, message) => {
    const run = () => explain({ files: [file(name, text)], now });
    expect(run).toThrow(InputError);
    expect(run).toThrow(message);
  });

  it('a file that is not there, a folder, and what does not fit together', () => {
    expect(() => explain({ files: [path.join(folder, 'none')] })).toThrow('does not exist');
    expect(() => explain({ files: [folder] })).toThrow('is a folder');
    expect(() => explain({ files: [resuming], at: 3 })).toThrow('--at needs a recording.');
    expect(() => explain({ files: [resuming, recording] })).toThrow('it is explained alone');
  });
});

import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { member } from '../rows.testing';
import { condition, now, podObject, sandboxObject } from './objects.testing';
import { predict, resumeRisks } from './predict';

const pinned = `reg/runtime:v1@sha256:${'a'.repeat(64)}`;
const running = (spec: string, status: string, phase = 'Running') =>
  podObject({
    spec: { initContainers: [{ name: 'agent-runtime', image: spec }] },
    status: { phase, initContainerStatuses: [{ name: 'agent-runtime', image: status, restartCount: 0 }] },
  });
const idReported = running(pinned, `sha256:${'b'.repeat(64)}`);

describe('before anybody pauses it', () => {
  it('a Pod whose image is reported by its id would be stranded', () => {
    const [found] = predict(sandboxObject(), idReported, now);
    expect(found).toMatchObject({ code: 'WouldStrand', confidence: 'certain', never: true });
    // Never by deleting the Pod of one that runs: that would be its end.
    expect(found?.steps.map(({ code }) => code)).toEqual(['RetagInjection']);
    expect(found?.evidence.map(({ value }) => value)).toEqual([pinned, `sha256:${'b'.repeat(64)}`]);
  });

  it('another tag of the same repository does that as well', () => {
    expect(predict(sandboxObject(), running('reg/runtime:v1', 'reg/runtime:other'), now)[0]?.code).toBe('WouldStrand');
  });

  it('a pinned one that is reported as it is pinned may, on another node', () => {
    expect(predict(sandboxObject(), running(pinned, pinned), now)).toMatchObject([
      { code: 'MayStrand', confidence: 'possible' },
    ]);
  });

  it.each([
    ['a tag', sandboxObject(), running('reg/runtime:v1', 'reg/runtime:v1')],
    ['a short name that the node writes in full', sandboxObject(), running('nginx', 'docker.io/library/nginx:latest')],
    ['no Pod', sandboxObject(), undefined],
  ])('nothing speaks against it with %s', (_, sandbox, pod) => {
    expect(predict(sandbox, pod, now)).toEqual([]);
  });

  it('a Pod that is on its way out tells what the next one would be given', () => {
    expect(predict(sandboxObject({ spec: { paused: true } }), idReported, now)).toMatchObject([
      { code: 'WouldStrand', confidence: 'likely', steps: [{ code: 'RetagInjection' }] },
    ]);
  });

  it('a Pod of an earlier sandbox of the name says nothing', () => {
    const foreign = {
      ...idReported,
      metadata: { ...idReported.metadata, ownerReferences: [{ controller: true, uid: 'older' }] },
    };
    expect(predict(sandboxObject(), foreign, now)).toEqual([]);
  });
});

const template = (image: string) => ({
  metadata: { name: 'tools', namespace: 'agents', uid: 't' },
  spec: { template: { spec: { initContainers: [{ name: 'agent-runtime', image }] } } },
});
const paused = (spec: object, labels = {}) =>
  sandboxObject({
    metadata: { labels },
    spec: { paused: true, ...spec },
    status: { phase: 'Paused', conditions: [condition('SandboxPaused', 'True', 'StopPauseSucceed')] },
  });

describe('before anybody resumes it', () => {
  const ofTemplate = (image: string) => paused(template(image).spec, { 'agents.kruise.io/template-hash': 'r1' });

  it('a template that pins its init image may strand it; the way out is its tag, while there is no Pod', () => {
    const [found] = predict(ofTemplate(pinned), undefined, now);
    expect(found).toMatchObject({ code: 'MayStrand', confidence: 'possible' });
    expect(found?.steps).toMatchObject([{ code: 'RetagThenResume', values: { image: 'reg/runtime:v1' }, loses: [] }]);
    expect(found?.steps[0]?.kubectl).toHaveLength(1);
  });

  it.each([
    ['its own last Pod', member({ uid: 'box-uid', hash: 'other', strands: true })],
    ['a running one of its revision', member({ uid: 'b', hash: 'r1', strands: true })],
    ['one that hangs', member({ uid: 'b', hash: 'r1', cause: { code: 'InitImageMismatch', never: true } })],
  ])('%s, reported under another name, makes it likely', (_, sibling) => {
    expect(predict(ofTemplate(pinned), undefined, now, [sibling])).toMatchObject([
      { code: 'WouldStrand', confidence: 'likely' },
    ]);
  });

  it('one of another revision says nothing, and by a tag nothing speaks against it', () => {
    expect(
      predict(ofTemplate(pinned), undefined, now, [member({ uid: 'b', hash: 'r2', strands: true })])[0]?.code,
    ).toBe('MayStrand');
    expect(
      predict(ofTemplate('reg/runtime:v1'), undefined, now, [member({ uid: 'b', hash: 'r1', strands: true })]),
    ).toEqual([]);
  });
});

describe('a template by reference', () => {
  const spec = { template: undefined, templateRef: { name: 'tools' } };

  it('is judged by the Pod as long as it runs, and mended where it stands', () => {
    const [found] = predict(sandboxObject({ spec }), idReported, now, [], template(pinned));
    expect(found).toMatchObject({ code: 'WouldStrand', confidence: 'certain' });
    expect(found?.steps).toMatchObject([{ code: 'RetagTemplate', values: { template: 'tools' }, loses: [] }]);
    expect(found?.steps[0]?.kubectl[0]).toContain('-n agents patch sandboxtemplates/tools');
  });

  it('is read where there is no Pod', () => {
    expect(predict(paused(spec), undefined, now, [], template(pinned))).toMatchObject([
      { code: 'MayStrand', evidence: [{ value: pinned }], steps: [{ code: 'RetagTemplate' }] },
    ]);
    expect(predict(paused(spec), undefined, now, [], template('reg/runtime:v1'))).toEqual([]);
    expect(predict(paused(spec), undefined, now)).toEqual([]);
  });

  it('that may not be read is known by the row, and is still where to look', () => {
    const row = member({ uid: 'box-uid', pinned: true, imageFrom: 'SandboxTemplate' });
    expect(predict(paused(spec), undefined, now, [row])).toMatchObject([
      { code: 'MayStrand', evidence: [{}], steps: [{ code: 'RetagPoolTemplate', values: { template: 'tools' } }] },
    ]);
  });
});

describe('an image that the controller injects', () => {
  const labels = { 'agents.kruise.io/template-hash': 'r1' };
  const known = (fields: Parameters<typeof member>[0]) => member({ uid: 'box-uid', imageFrom: 'injection', ...fields });

  it.each([
    ['strands', 'WouldStrand', known({ strands: true })],
    ['may strand', 'MayStrand', known({ pinned: true })],
    ['strands, as in others of its revision,', 'WouldStrand', known({ uid: 'other', hash: 'r1', strands: true })],
  ])('%s a paused one, of whose template nothing can be told', (_, code, row) => {
    const [found] = predict(paused({}, labels), undefined, now, [row]);
    expect(found).toMatchObject({ code, steps: [{ code: 'RetagInjection' }] });
  });
});

describe('a resume of several', () => {
  const asleep = { state: 'Paused', idle: undefined, hash: 'r1' } as const;
  const uids = ({ would, may }: Record<'would' | 'may', SandboxRow[]>) =>
    [would, may].map((rows) => rows.map(({ uid }) => uid));

  it('goes by the last Pod of each, and by Pods that are given the same beside their template', () => {
    const rows = [
      member({ ...asleep, uid: 'last', hash: 'r2', strands: true, imageFrom: 'injection' }),
      member({ ...asleep, uid: 'alike' }),
      member({ ...asleep, uid: 'perhaps', hash: 'r3', pinned: true, imageFrom: 'SandboxTemplate' }),
      member({ ...asleep, uid: 'fine', hash: 'r4' }),
      member({ uid: 'runs', hash: 'r1', strands: true, imageFrom: 'injection' }),
    ];
    expect(uids(resumeRisks(rows, rows))).toEqual([['last', 'alike'], ['perhaps']]);
  });

  it('of a SandboxTemplate that names a tag by now asks no Pod of before', () => {
    const rows = [member({ ...asleep, uid: 'mended' })];
    const before: SandboxRow = member({ hash: 'r1', strands: true, imageFrom: 'SandboxTemplate' });
    expect(uids(resumeRisks(rows, [before]))).toEqual([[], []]);
  });
});

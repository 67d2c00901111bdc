import { describe, expect, it } from 'vitest';
import { member, pool } from '../rows.testing';
import { condition, now, podObject, sandboxObject } from './objects.testing';
import { predict, predictPool } from './predict';

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
    expect(found?.steps[0]?.code).toBe('RetagInjectionThenReplacePod');
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
    ['a sandbox that is paused already', sandboxObject({ spec: { paused: true } }), idReported],
    ['no Pod', sandboxObject(), undefined],
  ])('nothing speaks against it with %s', (_, sandbox, pod) => {
    expect(predict(sandbox, pod, now)).toEqual([]);
  });

  it('a Pod of an earlier sandbox of the name says nothing', () => {
    const foreign = {
      ...idReported,
      metadata: { ...idReported.metadata, ownerReferences: [{ controller: true, uid: 'older' }] },
    };
    expect(predict(sandboxObject(), foreign, now)).toEqual([]);
  });
});

describe('before anybody resumes it', () => {
  const template = (image: string) => ({ spec: { initContainers: [{ name: 'agent-runtime', image }] } });
  const hash = { 'agents.kruise.io/template-hash': 'r1' };
  const paused = (image: string) =>
    sandboxObject({
      metadata: { labels: hash },
      spec: { paused: true, template: template(image) },
      status: { phase: 'Paused', conditions: [condition('SandboxPaused', 'True', 'SetPause')] },
    });

  it('a template that pins its init image may strand it; the way out is its tag, while there is no Pod', () => {
    const [found] = predict(paused(pinned), undefined, now);
    expect(found).toMatchObject({ code: 'MayStrand', confidence: 'possible' });
    expect(found?.steps).toMatchObject([{ code: 'RetagThenResume', values: { image: 'reg/runtime:v1' }, loses: [] }]);
    expect(found?.steps[0]?.kubectl).toHaveLength(1);
  });

  it.each([
    ['its own last Pod', member({ uid: 'box-uid', hash: 'other', strands: true })],
    ['a running one of its revision', member({ uid: 'b', hash: 'r1', strands: true })],
    ['one that hangs', member({ uid: 'b', hash: 'r1', cause: { code: 'InitImageMismatch', never: true } })],
  ])('%s, reported under another name, makes it likely', (_, sibling) => {
    expect(predict(paused(pinned), undefined, now, [sibling])).toMatchObject([
      { code: 'WouldStrand', confidence: 'likely' },
    ]);
  });

  it('one of another revision says nothing, and by a tag nothing speaks against it', () => {
    expect(predict(paused(pinned), undefined, now, [member({ uid: 'b', hash: 'r2', strands: true })])[0]?.code).toBe(
      'MayStrand',
    );
    expect(
      predict(paused('reg/runtime:v1'), undefined, now, [member({ uid: 'b', hash: 'r1', strands: true })]),
    ).toEqual([]);
  });
});

it('of a pool: what its template pins, and how many of its sandboxes are stranded for certain', () => {
  const members = [{ strands: true as const }, {}, { strands: true as const }];
  expect(predictPool(pool({ digestPinned: ['agent-runtime'] }), members)).toEqual({
    pinned: ['agent-runtime'],
    stranding: 2,
  });
});

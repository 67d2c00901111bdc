import { describe, expect, it } from 'vitest';
import { podSchema, type Sandbox, sandboxSchema, sandboxSetSchema } from '../client/objects';
import { rollingUpdateVictims, scaleDelta, scaleDownOrder } from '../sandboxset/arithmetic';
import { setCondition } from './conditions';
import { immutableHash, sandboxRevision } from './hashes';
import { initImagesConsistent, normalizeImage, sameImage } from './images';
import { mergePatchBetween, strategicMerge } from './merge';
import { durationMs, formatDuration, resolveIntOrPercent } from './quantities';
import { sandboxState } from './state';

const set = (spec: object) =>
  sandboxSetSchema.parse({ metadata: { name: 'web', uid: 'u', resourceVersion: '1' }, spec });

let created = 0;
const revision = { hash: 'new', legacyHash: 'v0.3' };

function member(hash: string, phase: string, ready: boolean, extra: object = {}): Sandbox {
  created += 1;
  return sandboxSchema.parse({
    metadata: {
      name: `m${created}`,
      uid: `m${created}`,
      resourceVersion: '1',
      creationTimestamp: new Date(created * 1000).toISOString(),
      labels: { 'agents.kruise.io/template-hash': hash },
      ownerReferences: [
        { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name: 'web', uid: 'u', controller: true },
      ],
    },
    spec: {},
    status: { phase, conditions: ready ? [{ type: 'Ready', status: 'True' }] : [], ...extra },
  });
}

describe('scaling', () => {
  it('asks for what is missing, and for less when starts are limited', () => {
    expect(scaleDelta(set({ replicas: 9 }), 3, 3)).toBe(6);
    expect(scaleDelta(set({ replicas: 9, scaleStrategy: { maxUnavailable: 2 } }), 3, 3)).toBe(2);
    expect(scaleDelta(set({ replicas: 9, scaleStrategy: { maxUnavailable: '30%' } }), 5, 3)).toBe(1);
    expect(scaleDelta(set({ replicas: 9, scaleStrategy: { maxUnavailable: 2 } }), 5, 2)).toBe(0);
    expect(scaleDelta(set({ replicas: 2, scaleStrategy: { maxUnavailable: 0 } }), 5, 5)).toBe(-3);
  });

  it('gives up old revisions first, then Pending, recycled, unready and at last the good ones, oldest first', () => {
    const good = member('new', 'Running', true);
    const younger = member('new', 'Running', true);
    const unready = member('new', 'Running', false);
    const once = member('new', 'Running', true, { recycledCount: 1 });
    const twice = member('new', 'Running', true, { recycledCount: 2 });
    const pending = member('new', 'Pending', false);
    const old = member('old', 'Running', true);
    const oldCreating = member('old', 'Pending', false);
    const order = scaleDownOrder([unready, pending, oldCreating], [younger, good, once, twice, old], revision);
    expect(order).toEqual([oldCreating, old, pending, twice, once, unready, good, younger]);
  });

  it('rolls within the budget; old members that are still creating all go on top of it', () => {
    const old = [member('old', 'Running', true), member('old', 'Running', true), member('old', 'Running', true)];
    const creating = [member('old', 'Pending', false), member('new', 'Pending', false)];
    const ten = set({ replicas: 10, updateStrategy: { maxUnavailable: '20%' } });
    expect(rollingUpdateVictims(ten, [], old, revision)).toEqual(old.slice(0, 2));
    expect(rollingUpdateVictims(ten, creating, old, revision)).toEqual([creating[0], old[0]]);
    expect(
      rollingUpdateVictims(set({ replicas: 10, updateStrategy: { maxUnavailable: 0 } }), [], old, revision),
    ).toEqual([]);
    expect(rollingUpdateVictims(set({ replicas: 3 }), [], old, revision)).toHaveLength(1);
  });

  it('leaves members alone that an earlier controller gave the hash of the template alone', () => {
    const members = [member('v0.3', 'Running', true), member('older', 'Running', true)];
    expect(rollingUpdateVictims(set({ replicas: 2 }), [], members, revision)).toEqual([members[1]]);
  });

  it('takes those that are still being created of a second template change beside its budget', () => {
    const creating = [member('old', 'Pending', false), member('old', 'Pending', false)];
    const available = [member('older', 'Running', true), member('older', 'Running', true)];
    const two = set({ replicas: 4, updateStrategy: { maxUnavailable: 2 } });
    expect(rollingUpdateVictims(two, creating, available, revision)).toHaveLength(4);
  });
});

describe('image references', () => {
  it.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['reg/x/runtime:v1', 'docker.io/reg/x/runtime:v1'],
    ['localhost/app', 'localhost/app:latest'],
    [
      'reg.local:5000/app@sha256:0123456789abcdef0123456789abcdef',
      'reg.local:5000/app@sha256:0123456789abcdef0123456789abcdef',
    ],
    ['Not A Reference', 'Not A Reference'],
  ])('%s is %s', (image, full) => {
    expect(normalizeImage(image)).toBe(full);
  });

  it('never takes a digest for the image that it names', () => {
    const hex = 'a'.repeat(64);
    expect(sameImage('nginx', 'docker.io/library/nginx:latest')).toBe(true);
    expect(sameImage(`reg.local/x/runtime:v1@sha256:${hex}`, `sha256:${'b'.repeat(64)}`)).toBe(false);
    expect(sameImage('reg.local/x/runtime:v1', 'reg.local/x/runtime:other')).toBe(false);
  });

  it('looks at init containers only', () => {
    const pod = (reported: string) =>
      podSchema.parse({
        metadata: { name: 'p', uid: 'p', resourceVersion: '1' },
        spec: { containers: [{ name: 'a', image: 'x' }], initContainers: [{ name: 'runtime', image: 'r:v1' }] },
        status: {
          containerStatuses: [{ name: 'a', image: 'something else' }],
          initContainerStatuses: [{ name: 'runtime', image: reported }],
        },
      });
    expect(initImagesConsistent(pod('docker.io/library/r:v1'))).toBe(true);
    expect(initImagesConsistent(pod('sha256:abc'))).toBe(false);
  });
});

describe('conditions', () => {
  const at = '2026-01-01T00:00:00Z';
  it('move their time only when the status flips', () => {
    const first = setCondition([], 'Ready', 'False', 'PodReady', '', at);
    const reason = setCondition(first, 'Ready', 'False', 'Upgrading', 'sandbox is upgrading');
    expect(reason[0]).toMatchObject({ reason: 'Upgrading', lastTransitionTime: at });
    expect(setCondition(reason, 'Ready', 'True', 'PodReady')[0]?.lastTransitionTime).not.toBe(at);
    expect(setCondition(first, 'Ready', 'False', 'PodReady')).toBe(first);
  });

  it('cut long messages', () => {
    expect(setCondition([], 'Ready', 'False', 'X', 'm'.repeat(2000))[0]?.message).toHaveLength(1027);
  });
});

describe('merging', () => {
  const template = {
    spec: {
      containers: [
        {
          name: 'a',
          image: 'a:1',
          env: [
            { name: 'X', value: '1' },
            { name: 'Y', value: '2' },
          ],
        },
        { name: 'b', image: 'b:1' },
      ],
      volumes: [{ name: 'v' }],
    },
  };

  it('merges lists by their key and leaves siblings alone', () => {
    const patch = { spec: { containers: [{ name: 'a', image: 'a:2', env: [{ name: 'X', $patch: 'delete' }] }] } };
    expect(strategicMerge(template, patch)).toEqual({
      spec: {
        containers: [{ name: 'a', image: 'a:2', env: [{ name: 'Y', value: '2' }] }, template.spec.containers[1]],
        volumes: [{ name: 'v' }],
      },
    });
  });

  it('deletes items and fields, and adds what is new', () => {
    const patch = {
      spec: {
        containers: [
          { name: 'b', $patch: 'delete' },
          { name: 'c', image: 'c:1' },
        ],
        volumes: null,
      },
    };
    const merged = strategicMerge(template, patch);
    // New items come before those that the patch does not name.
    expect(merged).toEqual({ spec: { containers: [{ name: 'c', image: 'c:1' }, template.spec.containers[0]] } });
  });

  it('writes the difference as a merge patch', () => {
    expect(mergePatchBetween({ a: 1, b: { c: 1, d: 2 } }, { b: { c: 1 }, e: [1] })).toEqual({
      a: null,
      b: { d: null },
      e: [1],
    });
    expect(mergePatchBetween(template, structuredClone(template))).toBeUndefined();
  });
});

describe('hashes', () => {
  const sandbox = (image: string, env: string) =>
    sandboxSchema.parse({
      metadata: { name: 's', uid: 's', resourceVersion: '1' },
      spec: { template: { spec: { containers: [{ name: 'a', image, env: [{ name: 'E', value: env }] }] } } },
    });
  it('see every change of the template; the immutable one sees all but images, resources and metadata', () => {
    expect(sandboxRevision(sandbox('a:1', '1'))).not.toBe(sandboxRevision(sandbox('a:2', '1')));
    expect(immutableHash(sandbox('a:1', '1').spec)).toBe(immutableHash(sandbox('a:2', '1').spec));
    expect(immutableHash(sandbox('a:1', '1').spec)).not.toBe(immutableHash(sandbox('a:1', '2').spec));
  });
});

describe('quantities', () => {
  it('read and print Go durations', () => {
    expect(durationMs('1m30s')).toBe(90_000);
    expect(durationMs('-1s')).toBe(-1000);
    expect(durationMs('soon')).toBeUndefined();
    expect(formatDuration(3_600_000)).toBe('1h0m0s');
    expect(formatDuration(12_888)).toBe('12.888s');
  });

  it('round percentages up', () => {
    expect(resolveIntOrPercent('20%', 3)).toBe(1);
    expect(resolveIntOrPercent('150%', 4)).toBe(6);
    expect(resolveIntOrPercent(-1, 4)).toBe(-1);
    expect(resolveIntOrPercent('many', 4)).toBeUndefined();
  });
});

describe('state', () => {
  it('follows ownership first, then phase and pause', () => {
    expect(sandboxState(member('h', 'Running', true))).toBe('available');
    expect(sandboxState(member('h', 'Failed', true))).toBe('dead');
    const { ownerReferences: _, ...metadata } = member('h', 'Running', false).metadata;
    const claimed = (spec: object, status: object) => sandboxSchema.parse({ metadata, spec, status });
    expect(sandboxState(claimed({}, { phase: 'Running' }))).toBe('dead');
    expect(sandboxState(claimed({ paused: true }, { phase: 'Running' }))).toBe('paused');
    expect(sandboxState(claimed({}, { phase: 'Upgrading' }))).toBe('paused');
    expect(sandboxState(claimed({ shutdownTime: '2020-01-01T00:00:00Z' }, { phase: 'Running' }))).toBe('dead');
  });
});

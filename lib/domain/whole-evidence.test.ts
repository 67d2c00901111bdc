import { describe, expect, it } from 'vitest';
import { causeOf, messageOf } from './diagnosis/cause';
import { sceneOf } from './diagnosis/scene';
import type { PodDigest, SandboxFacts } from './facts';
import { readPod, readSandbox } from './object-readings';
import { evidence } from './text';
import { wholeEvidence } from './whole-evidence';

const long = `${'node(s) had an untolerated taint, '.repeat(12)}and that is the last word`;
const metadata = { name: 's', namespace: 'demo', uid: 'u' };
const facts: SandboxFacts = {
  uid: 'u',
  phase: 'Pending',
  paused: false,
  idle: false,
  claimed: false,
  locked: false,
  finalizers: [],
  conditions: {},
};
const digest: PodDigest = { uid: 'p', ns: 'demo', name: 's', phase: 'Pending', restarts: 0 };
const judged = (more: Partial<SandboxFacts>, pod?: PodDigest) => {
  const all = { ...facts, ...more };
  const scene = sceneOf(all, pod);
  const cause = causeOf(scene);
  const message = messageOf(scene, cause);
  return { ...(cause ? { cause } : {}), ...(message === undefined ? {} : { message }) };
};
const failed = { type: 'Upgrading', status: 'False', reason: 'PreUpgradeFailed', message: long };
const sandbox = readSandbox({ metadata, status: { message: long, conditions: [failed] } });

describe('wholeEvidence', () => {
  it.each([
    ['the end of a sandbox', judged({ phase: 'Failed', message: long }), sandbox, undefined],
    ['a condition', judged({ phase: 'Upgrading', conditions: { Upgrading: failed } }), sandbox, undefined],
    [
      'a scheduler’s message',
      judged({}, { ...digest, scheduled: false, unschedulable: evidence(long) ?? '' }),
      readSandbox({ metadata }),
      readPod({ metadata, status: { conditions: [{ type: 'PodScheduled', status: 'False', message: long }] } }),
    ],
    [
      'a waiting container',
      judged(
        {},
        {
          ...digest,
          waiting: { container: 'main', init: false, reason: 'ErrImagePull', message: evidence(long) ?? '' },
        },
      ),
      readSandbox({ metadata }),
      readPod({
        metadata,
        spec: { containers: [{ name: 'main' }] },
        status: {
          containerStatuses: [{ name: 'main', state: { waiting: { reason: 'ErrImagePull', message: long } } }],
        },
      }),
    ],
  ])('is whole of %s', (_, row, object, pod) => {
    expect(row.cause?.detail ?? row.message).toMatch(/…$/);
    expect(wholeEvidence(row, object, pod)).toContain('the last word');
  });

  it('stays cut while the object is not read, or says something else', () => {
    const row = judged({ phase: 'Failed', message: long });
    for (const object of [undefined, readSandbox({ metadata, status: { message: 'Pod Not Found' } })])
      expect(wholeEvidence(row, object, undefined)).toBe(row.message);
  });

  it('is what the row says where nothing was cut', () => {
    expect(wholeEvidence({ message: 'short' }, undefined, undefined)).toBe('short');
    expect(wholeEvidence({}, sandbox, undefined)).toBeUndefined();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/contracts/objects';
import { standardLimits } from '../limits';
import { diagnose } from './diagnose';
import { ago, healthy, now, podObject, sandboxObject } from './objects.testing';

const phases = ['Pending', 'Running', 'Paused', 'Resuming', 'Upgrading', 'Recycling', 'Succeeded', 'Failed'];
const types = [
  'Ready',
  'SandboxPaused',
  'SandboxResumed',
  'RuntimeInitialized',
  'InplaceUpdate',
  'Upgrading',
  'Recycling',
];

/** A word that no controller of this console's version writes. */
const newWord = fc.stringMatching(/^New[A-Z][a-z]{2,8}$/);

const anyCondition = fc.record({
  type: fc.oneof(fc.constantFrom(...types), newWord),
  status: fc.oneof(fc.constantFrom('True', 'False', 'Unknown'), newWord),
  reason: fc.oneof(fc.constantFrom('PodReady', 'Pending', 'CreatePod', 'UpgradePod', 'Failed', 'Resuming'), newWord),
  message: fc.oneof(fc.constant(null), fc.string()),
  lastTransitionTime: fc.constantFrom(ago(60), ago(-60), 'yesterday', null),
});

const anySandbox = fc.record({
  phase: fc.oneof(fc.constantFrom(...phases), newWord, fc.constant(undefined)),
  conditions: fc.oneof(fc.array(anyCondition, { maxLength: 6 }), fc.constant(null)),
  paused: fc.boolean(),
  generation: fc.constantFrom(1, 2, 3),
  deleting: fc.boolean(),
});

/** What a hand, or another version, may have written where something else is expected. */
const anyThing = fc.anything({ withNullPrototype: false, maxDepth: 3 });

describe('whatever an object holds', () => {
  it('unknown phases, conditions, statuses and reasons are shown, and only Ready=True is well', () => {
    fc.assert(
      fc.property(anySandbox, fc.boolean(), ({ phase, conditions, paused, generation, deleting }, withPod) => {
        const sandbox = sandboxObject({
          metadata: { generation, ...(deleting ? { deletionTimestamp: ago(5) } : {}) },
          spec: { paused },
          status: { phase, conditions },
        });
        const { state, unknown } = diagnose(healthy({ sandbox, pod: withPod ? podObject() : null }));
        const last = new Map((conditions ?? []).map((each) => [each.type, each]));
        if (state === 'Running' || state === 'Available') {
          expect([phase, last.get('Ready')?.status]).toEqual(['Running', 'True']);
        }
        const shown = unknown.map(({ path, value }) => `${path} ${value}`).join('\n');
        const words = [phase, ...[...last.values()].flatMap(({ type, status, reason }) => [type, status, reason])];
        for (const word of words) if (word?.startsWith('New')) expect(shown).toContain(word);
        if (phase?.startsWith('New') && !deleting) expect(state).toBe('Other');
      }),
    );
  });

  it('a verdict comes', () => {
    fc.assert(
      fc.property(anyThing, anyThing, anyThing, anyThing, (spec, status, podSpec, podStatus) => {
        const metadata = { name: 'box', namespace: 'agents', uid: 'box-uid' };
        const sandbox: KubeObject = { kind: 'Sandbox', metadata, spec, status };
        const pod: KubeObject = { kind: 'Pod', metadata, spec: podSpec, status: podStatus };
        const verdict = diagnose({ sandbox, pod, now, limits: standardLimits });
        expect(['Running', 'Available']).not.toContain(verdict.state);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { LabelSelector } from '@/lib/contracts/upgrades';
import { batchPlan, startable } from './batches';
import { type DraftSettings, kubectlApply, manifestOf, manifestYaml } from './manifest';
import { selectorOf, selectorText, selects } from './selectors';

const draft: DraftSettings = {
  namespace: 'agents',
  name: 'up',
  targets: { by: 'pool', pool: 'web' },
  states: ['Running'],
  strategy: 'Recreate',
  maxUnavailable: 2,
  paused: false,
};
const patch = { spec: { containers: [{ name: 'app', image: 'a:2' }] } };

describe('selectors', () => {
  const matches = (selector: LabelSelector) =>
    [{ app: 'a' }, { app: 'b', tier: 'x' }, {}].map((labels) => selects(selector, labels));

  it.each<[LabelSelector, boolean[], string]>([
    [{ matchLabels: { app: 'a' } }, [true, false, false], 'app=a'],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] }, [true, true, false], 'app in (a,b)'],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a'] }] }, [false, true, true], 'app notin (a)'],
    [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, [false, true, false], 'tier'],
    [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, [true, false, true], '!tier'],
    [
      { matchLabels: { app: 'b' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
      [false, true, false],
      'app=b,tier',
    ],
  ])('%j', (selector, matched, text) => {
    expect(matches(selector)).toEqual(matched);
    expect(selectorText(selector)).toBe(text);
  });

  it('a label that every object has is not one', () => {
    expect(selects({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, {})).toBe(false);
    expect(selects({ matchLabels: { app: 'a' } }, undefined)).toBe(false);
  });

  it('a pool is its label, single sandboxes are a label with the name of the operation', () => {
    expect(selectorOf(draft.targets, undefined)).toEqual({ matchLabels: { 'agents.kruise.io/sandbox-pool': 'web' } });
    const targets = { by: 'selection' as const, sandboxes: [{ uid: '1', name: 'a' }] };
    expect(selectorOf(targets, undefined)).toBeUndefined();
    expect(selectorOf(targets, 'up')).toEqual({ matchLabels: { 'console.agents.kruise.io/upgrade': 'up' } });
  });
});

describe('the manifest', () => {
  it('says no more than it must', () => {
    expect(manifestOf(draft, patch)).toEqual({
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxUpdateOps',
      metadata: { name: 'up', namespace: 'agents' },
      spec: {
        selector: { matchLabels: { 'agents.kruise.io/sandbox-pool': 'web' } },
        updateStrategy: { type: 'Recreate', maxUnavailable: 2 },
        patch,
      },
    });
  });

  it('carries states, hooks and the pause', () => {
    const full: DraftSettings = {
      ...draft,
      states: ['Running', 'Paused'],
      preUpgrade: { command: ['sh', '-c', 'save'], timeoutSeconds: 120 },
      postUpgrade: { command: ['restore'] },
      paused: true,
    };
    expect(manifestOf(full, undefined).spec).toMatchObject({
      stateFilter: { states: ['Running', 'Paused'] },
      lifecycle: {
        preUpgrade: { exec: { command: ['sh', '-c', 'save'] }, timeoutSeconds: 120 },
        postUpgrade: { exec: { command: ['restore'] } },
      },
      paused: true,
    });
    expect(manifestOf(full, undefined).spec).not.toHaveProperty('patch');
  });

  it('is the same again when it is read, whatever its values look like', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (command, matchLabels) => {
        const manifest = manifestOf(
          { ...draft, targets: { by: 'labels', selector: { matchLabels } }, preUpgrade: { command: [command] } },
          patch,
        );
        expect(parse(manifestYaml(manifest))).toEqual(JSON.parse(JSON.stringify(manifest)));
      }),
      { numRuns: 300 },
    );
  });

  it('the lines for a terminal end where the text does', () => {
    expect(kubectlApply('a: 1\n')).toBe("kubectl apply -f - <<'EOF'\na: 1\nEOF\n");
    expect(kubectlApply('a: |-\n  x\nEOF\nEOFF')).toBe("kubectl apply -f - <<'EOFFF'\na: |-\n  x\nEOF\nEOFF\nEOFFF\n");
  });
});

describe('batches', () => {
  it.each([
    [undefined, 12, { limit: 1, batches: 12, stopsAfter: 1 }],
    [3, 12, { limit: 3, batches: 4, stopsAfter: 3 }],
    ['10%', 12, { limit: 2, batches: 6, stopsAfter: 2 }],
    ['100%', 12, { limit: 12, batches: 1, stopsAfter: 12 }],
    [0, 2, { limit: 1, batches: 2, stopsAfter: 1 }],
    [5, 0, { limit: 5, batches: 0, stopsAfter: 5 }],
  ] as const)('%s of %i', (maxUnavailable, total, plan) => {
    expect(batchPlan(maxUnavailable, total)).toEqual(plan);
  });

  it('never more at work than the limit, and it ends, or stops at as many failures', () => {
    const limits = fc.oneof(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 100 }).map((n) => `${n}%`),
    );
    fc.assert(
      fc.property(limits, fc.integer({ min: 0, max: 60 }), fc.infiniteStream(fc.nat(3)), (max, total, fates) => {
        const { limit, stopsAfter } = batchPlan(max, total);
        const counts = { updating: 0, failed: 0, waiting: total, updated: 0 };
        const next = fates[Symbol.iterator]();
        for (let steps = 0; steps < 400; steps++) {
          const started = startable(limit, counts);
          counts.updating += started;
          counts.waiting -= started;
          expect(counts.updating + counts.failed).toBeLessThanOrEqual(Math.max(limit, counts.failed));
          expect(counts.updating).toBeLessThanOrEqual(limit);
          if (counts.updating === 0) break;
          counts.updating--;
          if (next.next().value === 0) counts.failed++;
          else counts.updated++;
        }
        expect(counts.updating).toBe(0);
        if (counts.waiting > 0) expect(counts.failed).toBe(stopsAfter);
        else expect(counts.updated + counts.failed).toBe(total);
      }),
      { numRuns: 500 },
    );
  });
});

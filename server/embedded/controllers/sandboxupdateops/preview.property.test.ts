import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { patches, templates } from '@/lib/domain/upgrades/arbitraries.testing';
import { lifecycleOf, manifestOf } from '@/lib/domain/upgrades/manifest';
import { readSandbox } from '@/lib/domain/upgrades/sandbox-reading';
import { mergeTemplate } from '@/lib/domain/upgrades/strategic-merge';
import { classifyTargets } from '@/lib/domain/upgrades/targets';
import { type Sandbox, type SandboxUpdateOps, sandboxSchema, sandboxUpdateOpsSchema } from '../client/objects';
import { classify, isTarget, patchedTemplate } from './classify';

const sandboxOf = (template: unknown): Sandbox =>
  sandboxSchema.parse({
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: { name: 'box', namespace: 'agents', uid: '1', resourceVersion: '1', generation: 1 },
    spec: { template },
  });

describe('a preview', () => {
  it('is what the controller makes of the template', () => {
    let merged = 0;
    fc.assert(
      fc.property(templates, patches, (template, patch) => {
        const preview = mergeTemplate(template, patch);
        // What is refused here is never sent.
        if (!('template' in preview)) return;
        merged++;
        expect(preview.template).toEqual(patchedTemplate(sandboxOf(template), patch));
      }),
      { numRuns: 500 },
    );
    expect(merged).toBeGreaterThan(200);
  });
});

const phases = ['Pending', 'Running', 'Paused', 'Resuming', 'Upgrading', 'Succeeded', 'Failed'];
const upgrading = fc.constantFrom(
  undefined,
  { type: 'Upgrading', status: 'True', reason: 'Succeeded' },
  { type: 'Upgrading', status: 'False', reason: 'PreUpgradeFailed' },
  { type: 'Upgrading', status: 'False', reason: 'UpgradePod' },
);
const pool = [
  { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name: 'web', uid: 'web', controller: true },
];
const change = { spec: { containers: [{ name: 'app', image: 'app:2' }] } };

const sandboxes = fc
  .record({
    phase: fc.constantFrom(...phases),
    observed: fc.constantFrom(1, 2),
    image: fc.constantFrom('app:1', 'app:2'),
    deleting: fc.constantFrom(undefined, '2026-01-01T00:00:00Z'),
    owners: fc.constantFrom(undefined, undefined, undefined, pool),
    team: fc.constantFrom('a', 'a', 'b'),
    other: fc.constantFrom(undefined, 'busy', 'over'),
    paused: fc.boolean(),
    gone: fc.constantFrom('True', 'False'),
    upgrading,
  })
  .map((fields) => ({
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: {
      namespace: 'agents',
      resourceVersion: '1',
      generation: 2,
      labels: { team: fields.team, ...(fields.other ? { 'agents.kruise.io/update-ops': fields.other } : {}) },
      ...(fields.deleting ? { deletionTimestamp: fields.deleting } : {}),
      ...(fields.owners ? { ownerReferences: fields.owners } : {}),
    },
    spec: { paused: fields.paused, template: { spec: { containers: [{ name: 'app', image: fields.image }] } } },
    status: {
      phase: fields.phase,
      observedGeneration: fields.observed,
      conditions: [{ type: 'SandboxPaused', status: fields.gone }, ...(fields.upgrading ? [fields.upgrading] : [])],
    },
  }));

const draft: UpgradePreviewRequest & { name: string; maxUnavailable: number } = {
  namespace: 'agents',
  name: 'up',
  targets: { by: 'labels', selector: { matchLabels: { team: 'a' } } },
  states: ['Running'],
  strategy: 'Recreate',
  maxUnavailable: 1,
  paused: false,
};

describe('the targets', () => {
  it('are the candidates of the controller, in its order', () => {
    const states = fc.subarray(['Running' as const, 'Paused' as const], { minLength: 1 });
    fc.assert(
      fc.property(fc.array(sandboxes, { maxLength: 12 }), states, (list, chosen) => {
        const objects = list.map((each, index) => ({
          ...each,
          metadata: { ...each.metadata, name: `box-${index}`, uid: `${index}` },
        }));
        const plan = { ...draft, states: chosen };
        const operations = [
          { name: 'busy', phase: 'Updating' },
          { name: 'over', phase: 'Completed' },
        ];
        const ops: SandboxUpdateOps = sandboxUpdateOpsSchema.parse({
          ...manifestOf(plan, change),
          metadata: { name: 'up', namespace: 'agents', uid: 'up', resourceVersion: '1', generation: 1 },
        });
        const candidates = objects
          .map((object) => sandboxSchema.parse(object))
          .filter((sandbox) => isTarget(ops, sandbox))
          .filter((sandbox) => classify(ops, sandbox, (name) => name === 'busy') === 'candidate')
          .map(({ metadata }) => metadata.name)
          .sort();
        const { targets } = classifyTargets({
          sandboxes: objects.flatMap((object) => readSandbox(object) ?? []),
          operations,
          draft: plan,
          patch: change,
        });
        expect(targets.map(({ name }) => name)).toEqual(candidates);
      }),
      { numRuns: 500 },
    );
  });

  it('hooks are written as the controller reads them', () => {
    const hooks = { preUpgrade: { command: ['save'], timeoutSeconds: 5 } };
    const ops = sandboxUpdateOpsSchema.parse({
      ...manifestOf({ ...draft, ...hooks }, undefined),
      metadata: { name: 'up', namespace: 'agents', uid: 'up', resourceVersion: '1' },
    });
    expect(ops.spec.lifecycle).toEqual(lifecycleOf(hooks));
  });
});

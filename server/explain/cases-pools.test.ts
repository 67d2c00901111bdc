import { describe, expect, it } from 'vitest';
import { ago, codes, condition, objects, on, sandbox } from './cases.testing';

describe('pools', () => {
  const pool = (spec: object, status?: object, metadata: object = {}) => ({
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxSet',
    metadata: { name: 'tern-py', namespace: 'kelp-lab', generation: 5, creationTimestamp: ago(7200), ...metadata },
    spec,
    status,
  });
  const member = (name: string, hash: string, ready = true) =>
    sandbox(name, {
      metadata: {
        creationTimestamp: ago(30),
        labels: { 'agents.kruise.io/sandbox-pool': 'tern-py', 'agents.kruise.io/template-hash': hash },
        ownerReferences: [
          { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name: 'tern-py', uid: 'p', controller: true },
        ],
      },
      status: ready
        ? { phase: 'Running', conditions: [condition('Ready', 'True', 'PodReady', 20)] }
        : { phase: 'Pending' },
    });

  it('D01, D02: stale counters and a minute of book-keeping raise nothing', () => {
    const verdicts = objects(
      pool(
        { replicas: 4, template: {} },
        {
          observedGeneration: 5,
          replicas: 4,
          availableReplicas: 2,
          updatedReplicas: 4,
          updatedAvailableReplicas: 4,
          updateRevision: 'b',
        },
      ),
      member('a', 'b'),
      member('b', 'b'),
      member('c', 'b', false),
      member('d', 'b', false),
    );
    expect(codes(on(verdicts, 'tern-py'))).toEqual([]);
  });

  it('D05: an autoscaler owns the number, and a condition nobody knows is shown', () => {
    const verdict = on(
      objects(
        pool(
          { replicas: 0, template: {} },
          { observedGeneration: 5, conditions: [condition('Warmed', 'True', 'x', 9)] },
        ),
        {
          apiVersion: 'agents.kruise.io/v1alpha1',
          kind: 'PoolAutoscaler',
          metadata: { name: 'auto', namespace: 'kelp-lab' },
          spec: { scaleTargetRef: { kind: 'SandboxSet', name: 'tern-py' }, maxReplicas: 9 },
        },
      ),
      'tern-py',
    );
    expect(codes(verdict)).toEqual(['PoolAutoscaled']);
    expect(verdict.unknown).toEqual([{ path: 'SandboxSet status.conditions[Warmed]', value: 'True' }]);
  });

  it('D07: more than asked for is said, not counted over the edge', () => {
    const members = Array.from({ length: 5 }, (_, index) => member(`m${index}`, 'b'));
    const status = { observedGeneration: 5, replicas: 3, availableReplicas: 3, updateRevision: 'b' };
    expect(codes(on(objects(pool({ replicas: 3, template: {} }, status), ...members), 'tern-py'))).toEqual([
      'PoolSurplus',
    ]);
  });

  it('D10: a spec that the controller has not seen in all that time', () => {
    const verdict = on(objects(pool({ replicas: 1, template: {} }, undefined, { generation: 1 })), 'tern-py');
    expect(codes(verdict)).toContain('PoolNotSeen');
  });

  it('D11: a template by reference is read from there; one that does not exist is named', () => {
    const spec = { replicas: 0, templateRef: { name: 'reef-v2' } };
    const template = (name: string) => ({
      kind: 'SandboxTemplate',
      metadata: { name, namespace: 'kelp-lab' },
      spec: {},
    });
    const status = { observedGeneration: 5, replicas: 0, availableReplicas: 0 };
    expect(codes(on(objects(pool(spec, status), template('reef-v2')), 'tern-py'))).toEqual([]);
    expect(codes(on(objects(pool(spec, status), template('reef-v1')), 'tern-py'))).toEqual(['PoolTemplateMissing']);
    // No template was given at all: then nobody knows.
    expect(codes(on(objects(pool(spec, status)), 'tern-py'))).toEqual([]);
  });

  it('D12: ready, and no Pod named anywhere', () => {
    expect(codes(on(objects(member('hollow', 'b')), 'hollow'))).toEqual(['NoPodInfo']);
  });
});

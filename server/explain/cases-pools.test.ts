import { describe, expect, it } from 'vitest';
import { ago, codes, condition, objects, on, sandbox, single } from './cases.testing';

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

  it('stale counters and a minute of book-keeping raise nothing', () => {
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

  it('an autoscaler owns the number, and a condition nobody knows is shown', () => {
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

  it('more than asked for is said, not counted over the edge', () => {
    const members = Array.from({ length: 5 }, (_, index) => member(`m${index}`, 'b'));
    const status = { observedGeneration: 5, replicas: 3, availableReplicas: 3, updateRevision: 'b' };
    expect(codes(on(objects(pool({ replicas: 3, template: {} }, status), ...members), 'tern-py'))).toEqual([
      'PoolSurplus',
    ]);
  });

  it('a spec that the controller has not seen in all that time', () => {
    const verdict = on(objects(pool({ replicas: 1, template: {} }, undefined, { generation: 1 })), 'tern-py');
    expect(codes(verdict)).toContain('PoolNotSeen');
    // Since when is not known here, so it is told and nobody is alarmed.
    const edited = on(
      objects(pool({ replicas: 0, template: {} }, { observedGeneration: 5 }, { generation: 7 })),
      'tern-py',
    );
    expect(edited).toMatchObject({ severity: 'calm', cause: { code: 'PoolNotSeen', kind: 'wait' } });
    expect(edited.cause?.evidence.map(({ value }) => value)).toEqual(['7', '5']);
  });

  it('a template by reference is read from there; one that does not exist is named', () => {
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

  it('ready, and no Pod named anywhere', () => {
    expect(codes(on(objects(member('hollow', 'b')), 'hollow'))).toEqual(['NoPodInfo']);
  });

  it('without a list of its sandboxes the pool is taken at its own word, and that is said', () => {
    const status = { observedGeneration: 5, replicas: 2, availableReplicas: 2 };
    const file = `---\n${JSON.stringify(pool({ replicas: 2, templateRef: { name: 'reef-v2' } }, status))}\n`;
    const verdict = on(single(file), 'tern-py');
    expect(verdict).toMatchObject({ state: '2/2', severity: 'calm' });
    expect(verdict.missing).toContain('Sandboxes');
    expect(codes(verdict)).toEqual([]);
  });

  it('a claim that is kept for ever, and a sandbox whose claim is gone, raise nothing', () => {
    const kept = {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxClaim',
      metadata: { name: 'kept', namespace: 'kelp-lab', creationTimestamp: ago(86_400) },
      spec: { templateName: 'tern-py', ttlAfterCompleted: '-1s' },
      status: { phase: 'Completed', claimedReplicas: 1, completionTime: ago(86_399) },
    };
    const orphan = sandbox('orphan', {
      metadata: { labels: { 'agents.kruise.io/sandbox-claimed': 'true', 'agents.kruise.io/claim-name': 'gone' } },
      status: {
        phase: 'Running',
        podInfo: { podUID: 'p', nodeName: 'n' },
        conditions: [condition('Ready', 'True', 'PodReady', 99)],
      },
    });
    const verdicts = objects(kept, orphan, pool({ replicas: 0, template: {} }, { observedGeneration: 5 }));
    expect(verdicts.flatMap(codes)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { readPod, readSandbox } from './object-readings';

const metadata = { name: 'pinned', namespace: 'rec-12', uid: 'u1' };

describe('readSandbox', () => {
  it('reads what a resuming sandbox says, its old pod included', () => {
    const reading = readSandbox({
      metadata: { ...metadata, finalizers: ['agents.kruise.io/sandbox'] },
      spec: { paused: false, pauseStrategy: { type: 'Stop' }, runtimes: [{ name: 'agent-runtime' }] },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'PodReady',
            message: '',
            lastTransitionTime: '2026-11-29T22:30:09Z',
          },
          { type: 'SandboxResumed', status: 'False', reason: 'CreatePod', lastTransitionTime: '2026-11-29T22:30:11Z' },
        ],
        podInfo: { nodeName: 'node-a', podIP: '127.10.0.3', podUID: '7023e720' },
        recycledCount: 2,
      },
    });
    expect(reading).toMatchObject({
      finalizers: ['agents.kruise.io/sandbox'],
      pauseStrategy: 'Stop',
      runtimes: ['agent-runtime'],
      podUid: '7023e720',
      podNode: 'node-a',
      recycledCount: 2,
    });
    expect(reading.conditions.map((each) => [each.type, each.status, each.reason, each.at])).toEqual([
      ['Ready', 'False', 'PodReady', Date.UTC(2026, 10, 29, 22, 30, 9)],
      ['SandboxResumed', 'False', 'CreatePod', Date.UTC(2026, 10, 29, 22, 30, 11)],
    ]);
  });

  it.each([
    ['nothing but a name', {}],
    ['nulls', { spec: null, status: null }],
    ['other shapes', { spec: { pauseStrategy: 'Stop', runtimes: {} }, status: { conditions: null, podInfo: 3 } }],
    ['a condition without a type', { status: { conditions: [{ status: 'True' }, null] } }],
  ])('survives %s', (_, rest) => {
    expect(readSandbox({ metadata, ...rest })).toMatchObject({ conditions: [], runtimes: [], podUid: undefined });
  });
});

describe('readPod', () => {
  it('pairs what was asked for with what the node reports, init containers first', () => {
    const reading = readPod({
      metadata: { ...metadata, creationTimestamp: '2026-11-29T22:30:12Z' },
      spec: {
        nodeName: 'node-c',
        initContainers: [
          { name: 'fetch', image: 'registry.local/fetch:v1' },
          { name: 'runtime', image: 'registry.local/agent-runtime@sha256:ab', restartPolicy: 'Always' },
        ],
        containers: [{ name: 'sandbox', image: 'registry.local/code:v1' }],
      },
      status: {
        phase: 'Running',
        podIP: '127.10.0.2',
        conditions: [{ type: 'Ready', status: 'True' }],
        initContainerStatuses: [
          {
            name: 'runtime',
            image: 'sha256:d3',
            ready: true,
            restartCount: 1,
            state: { running: { startedAt: '2026-11-29T22:30:13Z' } },
          },
        ],
        containerStatuses: [
          {
            name: 'sandbox',
            ready: false,
            restartCount: 4,
            state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
          },
        ],
      },
    });
    expect(reading).toMatchObject({ phase: 'Running', node: 'node-c', ip: '127.10.0.2', ready: true });
    expect(reading.containers).toEqual([
      expect.objectContaining({
        name: 'fetch',
        kind: 'init',
        spec: 'registry.local/fetch:v1',
        status: undefined,
        state: undefined,
      }),
      expect.objectContaining({
        name: 'runtime',
        kind: 'sidecar',
        status: 'sha256:d3',
        state: 'running',
        restarts: 1,
        at: Date.UTC(2026, 10, 29, 22, 30, 13),
      }),
      expect.objectContaining({
        name: 'sandbox',
        kind: 'main',
        state: 'waiting',
        reason: 'CrashLoopBackOff',
        message: 'back-off 10s',
      }),
    ]);
  });

  it('survives a pod without spec and status', () => {
    expect(readPod({ metadata })).toMatchObject({ phase: undefined, ready: undefined, containers: [] });
  });
});

import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/contracts/objects';
import { changedImages, podHelpOf, suggestedImages, survivalOf, withTag } from './sandbox-losses';

const digest = `sha256:${'ab'.repeat(32)}`;
const pinned = `registry.local/agent-runtime@${digest}`;
const sandboxOf = (runtime: string | undefined, more: object = {}): KubeObject => ({
  metadata: { name: 'a', uid: 'u' },
  spec: {
    template: {
      spec: {
        ...(runtime ? { initContainers: [{ name: 'runtime', image: runtime }] } : {}),
        containers: [{ name: 'main', image: 'code:v1' }],
      },
    },
    ...more,
  },
});
const podOf = (image: string, reported: string): KubeObject => ({
  metadata: { name: 'a', uid: 'p' },
  spec: { initContainers: [{ name: 'runtime', image }] },
  status: { initContainerStatuses: [{ name: 'runtime', image: reported }] },
});
const stuck = podOf(pinned, digest);

describe('podHelpOf', () => {
  it('says that the same name makes the same Pod (T1), and that another name helps', () => {
    expect(podHelpOf(sandboxOf(pinned), stuck)).toBe('same');
    expect(podHelpOf(sandboxOf(`registry.local/agent-runtime:v1@${digest}`), stuck)).toBe('same');
    expect(podHelpOf(sandboxOf('registry.local/agent-runtime:v1'), stuck)).toBe('fixed');
    expect(podHelpOf(sandboxOf(undefined), stuck)).toBe('injected');
  });
  it('does not know where nothing is compared, or the two are the same', () => {
    expect(podHelpOf(sandboxOf(pinned), undefined)).toBe('unknown');
    expect(podHelpOf(sandboxOf('r:v1'), podOf('r:v1', 'docker.io/library/r:v1'))).toBe('unknown');
  });
});

it('suggests the tag for what is pinned, and leaves a missing one to be typed', () => {
  expect(withTag(`registry.local/agent-runtime:v1@${digest}`)).toBe('registry.local/agent-runtime:v1');
  expect(withTag(`registry.local:5000/agent-runtime@${digest}`)).toBe('registry.local:5000/agent-runtime:');
  expect(withTag('code:v1')).toBe('code:v1');
  expect(changedImages(suggestedImages(sandboxOf(pinned), stuck))).toEqual([
    { container: 'runtime', init: true, image: pinned, to: 'registry.local/agent-runtime:' },
  ]);
});

it('tells what a pause takes, what stays, and what was asked for in vain', () => {
  const volumes = [{ metadata: { name: 'home' } }];
  const more = { pauseStrategy: { type: 'Hibernate' }, persistentContents: ['memory'], volumeClaimTemplates: volumes };
  expect(survivalOf(sandboxOf(undefined, more))).toEqual({
    lost: ['memory', 'rootFileSystem', 'address'],
    volumes: ['home'],
    askedInVain: ['Hibernate', 'memory'],
  });
  expect(survivalOf(sandboxOf(undefined))).toMatchObject({ volumes: [], askedInVain: [] });
});

import { expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { reachedAt } from '@/lib/domain/diagnosis/gate-times';
import { gateCodes } from '@/lib/domain/diagnosis/gates';
import { replay } from './replay.testing';

/** The gates of the sandboxes in a state, in the order in which one first came to each. */
function gatesOf(recording: string, state: SandboxRow['state']): (string | undefined)[] {
  const found = new Set<string | undefined>();
  replay(recording, ({ touched }) => {
    if (touched?.row?.state === state) found.add(touched.row.gate);
  });
  return [...found];
}

it.each<[string, SandboxRow['state'], string[]]>([
  ['pool-create', 'Creating', ['TakenUp', 'PodRunning', 'Written']],
  ['pause-resume-stop', 'Pausing', ['SpecSeen', 'PodGone', 'Written']],
  ['resume-stuck-digest-init-container', 'Resuming', ['PodRunning', 'InitImages']],
  ['pause-resume-stop', 'Terminating', ['PodGone', 'FinalizerGone']],
  ['update-pre-upgrade-hook-fails', 'Upgrading', ['PreUpgradeHook']],
])('%s: a sandbox that is %s waits at one gate after the other', (recording, state, gates) => {
  expect(gatesOf(recording, state)).toEqual(expect.arrayContaining(gates));
});

it.each<[string, SandboxRow['state']]>([
  ['pool-create', 'Available'],
  ['claim-and-refill', 'Running'],
  ['pause-resume-stop', 'Paused'],
  ['sandbox-pod-deleted', 'Failed'],
])('%s: one that is %s is on its way nowhere', (recording, state) => {
  expect(gatesOf(recording, state)).toEqual([undefined]);
});

it('a row stays small', () => {
  const sizes: number[] = [];
  for (const recording of ['resume-stuck-digest-init-container', 'pool-create-18', 'pause-resume-stop']) {
    replay(recording, ({ touched }) => {
      if (touched?.row) sizes.push(JSON.stringify(touched.row).length);
      if (touched?.row?.gate) expect(gateCodes).toContain(touched.row.gate);
    });
  }
  const middle = sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)];
  expect(middle).toBeLessThanOrEqual(400);
});

it('a Pod tells when the gates before were passed', () => {
  const pod = { uid: 'p', ns: 'a', name: 'a', phase: 'Running', restarts: 0, created: 1, scheduledAt: 2, startedAt: 3 };
  expect(['Scheduled', 'PodRunning', 'InitImages', 'OldPodGone'].map((gate) => reachedAt(gate, pod))).toEqual([
    1,
    2,
    3,
    undefined,
  ]);
});

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { diagnose } from '@/lib/domain/diagnosis/diagnose';
import { standardLimits } from '@/lib/domain/limits';
import { digestPod, projectSandbox } from '@/server/kube/rows';
import { readRecording } from '@/server/testing/play';
import { playRecording } from './play';

const recordings = readdirSync(path.join(import.meta.dirname, '../testing/recordings')).map(
  (file) => path.parse(file).name,
);

/** What a verdict says beyond the row of the same moment, because it knows more than the sandbox and its Pod. */
const refined: Readonly<Record<string, string>> = {
  RuntimeTemplateMissing: 'PodMissing',
  OperationPaused: 'WaitingForPatch',
};

it('a row has the cause of the verdict, at every event of every recording', () => {
  let compared = 0;
  for (const name of recordings) {
    for (const world of playRecording(readRecording(name))) {
      for (const [key, object] of world.objects.sandboxes) {
        const row = projectSandbox(object, digestPod(world.objects.pods.get(key)));
        const verdict = diagnose({
          sandbox: object,
          pod: world.objects.pods.get(key) ?? null,
          now: world.now,
          limits: standardLimits,
        });
        const code = verdict.cause?.code;
        // That a Pod is gone from under one that runs is for a verdict to say.
        const gone = code === 'PodMissing' && (verdict.state === 'Running' || verdict.state === 'Available');
        expect(row?.cause?.code, `${name} ${key} ${world.t}`).toBe(gone ? undefined : code && (refined[code] ?? code));
        expect(row?.cause?.never ?? false).toBe(verdict.cause?.never ?? false);
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(10_000);
});

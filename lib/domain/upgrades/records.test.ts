import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { sandbox } from '../rows.testing';
import { type PastUpgrade, wasRebuilt } from './records';

const past = (row: Partial<SandboxRow>, seen = true, after?: object): PastUpgrade => ({
  record: { row: sandbox({ op: 'up', ...row }), at: 1, left: { at: 2, seen, why: 'taken', to: 'next' } },
  pods: after ? { after } : {},
});
const at = (stage: string): Partial<SandboxRow> => ({ state: 'Upgrading', stage });

describe('wasRebuilt', () => {
  it.each<[string, PastUpgrade[], boolean]>([
    ['nothing came before', [], false],
    ['the one before failed after the Pod was new', [past(at('PostUpgradeFailed'))], true],
    ['the one before failed with a new Pod that does not start', [past(at('UpgradePodFailed'))], true],
    ['the one before was done: the Pod is the session’s own', [past({ upgraded: true })], false],
    [
      'the one before failed in the hook, too, and the one before that later',
      [past(at('PreUpgradeFailed')), past(at('PostUpgradeFailed'))],
      true,
    ],
    ['all of them failed in the hook', [past(at('PreUpgradeFailed')), past(at('PreUpgradeFailed'))], false],
    [
      'one was done in between',
      [past(at('PreUpgradeFailed')), past({ upgraded: true }), past(at('PostUpgradeFailed'))],
      false,
    ],
    ['its end was not seen', [past(at('UpgradePod'), false)], false],
    ['it was ended on the way', [past(at('UpgradePod'))], true],
    ['a new Pod was seen', [past({}, true, { uid: 'p' })], true],
    ['no record was kept', [{ pods: { after: { uid: 'p' } } }], false],
  ])('%s', (_, earlier, rebuilt) => {
    expect(wasRebuilt(earlier)).toBe(rebuilt);
  });
});

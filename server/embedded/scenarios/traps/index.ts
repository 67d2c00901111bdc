import { poolTraps } from './pool';
import { raceTraps } from './race';
import { resumeTraps } from './resume';
import { rolloutTraps } from './rollout';
import { sandboxTraps } from './sandbox';
import type { TrapScenario } from './trap';
import { upgradeTraps } from './upgrade';
import { upgradeFailureTraps } from './upgrade-failures';
import { wideTraps } from './wide';

/** Every trap scenario by its name. */
export const trapScenarios: Readonly<Record<string, TrapScenario>> = {
  ...resumeTraps,
  ...upgradeTraps,
  ...raceTraps,
  ...upgradeFailureTraps,
  ...poolTraps,
  ...rolloutTraps,
  ...sandboxTraps,
  ...wideTraps,
};

/** Traps of the domain reference that no objects of this cluster can show, each with the reason. */
export const impossibleTraps: Readonly<Record<string, string>> = {
  T39: 'needs a PoolAutoscaler, a kind that the recorded release does not have',
  T40: 'leaves nothing in the cluster; the fault gateway-errors makes the answers that show it',
};

export const namespaceOf = (name: string, { traps }: TrapScenario): string =>
  `trap-${Object.keys(traps)[0]?.slice(1).padStart(2, '0')}-${name}`;

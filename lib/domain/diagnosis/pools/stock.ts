import { resolveIntOrPercent } from '../../budget';
import { kubectlGet, kubectlJsonPatch } from '../../kubectl';
import { type Rule, said } from '../rule';
import { retagInjection } from '../rules/images';
import { patchStep, readEvents, type Step, step, wait } from '../steps';
import type { Evidence } from '../verdict';
import { budgetOf, faultyMembers, issue, type PoolScene, saidCounts } from './scene';

const saidCauses = (scene: PoolScene): (Evidence | undefined)[] => {
  const [worst] = faultyMembers(scene);
  return [
    ...scene.stats.causes.map(({ code, count }) => said(`members: ${code}`, count)),
    said(`Sandbox ${worst?.name}`, worst?.cause?.detail),
    said('Event CreateSandboxFailed', createFailure(scene)),
  ];
};

const createFailure = ({ events }: PoolScene): string | undefined =>
  events?.find(({ reason }) => reason === 'CreateSandboxFailed')?.message;

/** Each cause of a member has ways out of its own; the member's verdict tells them. */
const mendMembers = (scene: PoolScene) => {
  const [worst] = faultyMembers(scene);
  const { ns } = scene.pool;
  return [
    ...(worst ? [step('RemoveBroken', { values: { sandbox: worst.name, cause: worst.cause?.code ?? '' } })] : []),
    readEvents({ ns, name: scene.pool.name }),
  ];
};

const isShort = (scene: PoolScene): boolean => issue(scene, 'BelowTarget', 'Empty') !== undefined;

/** The limit is full of members that do not start: none is made any more (T18). */
export const poolThrottled: Rule<PoolScene> = {
  code: 'PoolThrottled',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => isShort(scene) && issue(scene, 'ScaleThrottled') !== undefined,
  evidence: (scene) => [
    said('SandboxSet spec.scaleStrategy.maxUnavailable', scene.pool.scaleMax),
    said('resolved', resolveIntOrPercent(scene.pool.scaleMax, scene.pool.desired)),
    ...saidCounts(scene),
    ...saidCauses(scene),
  ],
  steps: (scene) => [...mendMembers(scene), step('RaiseScaleLimit')],
};

/** Too few available for longer than a start takes (T17, T55); why none is made any more says more than that. */
export const poolShort: Rule<PoolScene> = {
  code: 'PoolShort',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => isShort(scene) && !poolThrottled.applies(scene),
  evidence: (scene) => [...saidCounts(scene), ...saidCauses(scene)],
  steps: mendMembers,
};

/** Nothing old that is available is ever replaced (T19, recorded `rollout-maxunavailable-zero`). */
export const poolRolloutBlocked: Rule<PoolScene> = {
  code: 'PoolRolloutBlocked',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => issue(scene, 'RolloutBlocked') !== undefined,
  evidence: ({ pool, stats }) => [
    said('SandboxSet spec.updateStrategy.maxUnavailable', pool.updateMax),
    said('counted: of an old revision', stats.old),
  ],
  steps: ({ pool }) => [
    patchStep('RaiseBudget', pool, 'sandboxsets', [
      { op: 'replace', path: '/spec/updateStrategy/maxUnavailable', value: '20%' },
    ]),
  ],
  useless: () => [wait()],
};

/** The budget is full of new members that do not start (T19, recorded `rollout-stuck-bad-image`). */
export const poolRolloutStarved: Rule<PoolScene> = {
  code: 'PoolRolloutStarved',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => {
    const budget = budgetOf(scene);
    const current = faultyMembers(scene).filter(({ hash }) => hash === scene.pool.revision);
    return scene.stats.old > 0 && !scene.stats.lag && budget > 0 && current.length >= budget;
  },
  evidence: (scene) => [
    said('SandboxSet spec.updateStrategy.maxUnavailable', scene.pool.updateMax ?? '20%'),
    said('resolved', budgetOf(scene)),
    said('counted: of an old revision', scene.stats.old),
    ...saidCauses(scene),
  ],
  steps: () => [step('RestoreTemplate')],
  useless: () => [wait(), step('RaiseBudget')],
};

/** A second change of the template during a rollout takes those in creation and the budget on top (T52); claims are no sign of it. */
export const poolBelowBudget: Rule<PoolScene> = {
  code: 'PoolBelowBudget',
  kind: 'hint',
  confidence: 'possible',
  applies: (scene) => {
    const { pool, stats } = scene;
    const floor = pool.desired - budgetOf(scene) - justClaimed(scene);
    return stats.old > 0 && !stats.lag && stats.updatedCount > 0 && stats.available < floor;
  },
  evidence: (scene) => [
    ...saidCounts(scene),
    said('SandboxSet spec.updateStrategy.maxUnavailable', scene.pool.updateMax ?? '20%'),
    said('counted: of an old revision', scene.stats.old),
  ],
  steps: () => [wait(), step('UpdateLater')],
};

/** Claims lower a pool as well: those for which replacements are in the making. Times are whole seconds. */
function justClaimed({ members, now }: PoolScene): number {
  const making = members.flatMap(({ idle, state, since }) => (idle && state === 'Creating' ? [since ?? now] : []));
  const from = Math.min(now, ...making) - 1000;
  return members.filter(({ idle, claimedAt }) => !idle && claimedAt !== undefined && claimedAt >= from).length;
}

/** Available by count, and nobody gets it (T16). */
export const poolLocked: Rule<PoolScene> = {
  code: 'PoolLocked',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => issue(scene, 'Locked') !== undefined,
  evidence: ({ members, stats }) => [
    said('counted: locked', stats.lockLeft),
    said(
      'Sandbox metadata.annotations[agents.kruise.io/lock]',
      members.find(({ locked, idle }) => locked && idle)?.name,
    ),
  ],
  steps: ({ pool, members }) =>
    members
      .filter(({ locked, idle }) => locked && idle)
      .slice(0, 10)
      .map(({ name }) =>
        step('RemoveLock', {
          kubectl: [
            kubectlJsonPatch(pool.ns, 'sandboxes', name, [
              { op: 'remove', path: '/metadata/annotations/agents.kruise.io~1lock' },
            ]),
          ],
        }),
      ),
};

/** Ten seconds, less the grain of a condition's time. */
const surplusAfterMs = 9_000;

/** A recycled sandbox does not wake its pool: one too many until the next event (T58). */
export const poolSurplus: Rule<PoolScene> = {
  code: 'PoolSurplus',
  kind: 'hint',
  confidence: 'likely',
  applies: ({ pool, stats, members, now }) => {
    const count = stats.available + stats.creating + stats.dead;
    if (pool.deleting !== undefined || stats.lag || stats.terminating > 0) return false;
    // It has its owner back a moment before it is a member again.
    if (members.some(({ idle, state }) => idle && state === 'Recycling')) return false;
    if (pool.replicas === undefined || count <= Math.max(pool.desired, pool.replicas)) return false;
    const youngest = Math.max(...members.flatMap(({ idle, since }) => (idle && since !== undefined ? [since] : [])));
    return now - youngest > surplusAfterMs;
  },
  evidence: (scene) => [...saidCounts(scene), said('SandboxSet status.replicas', scene.pool.replicas)],
  steps: () => [step('WaitForEvent')],
};

/** The names of the first few members that would strand, as a way out needs them. */
const stranding = ({ members }: PoolScene): string[] =>
  members.filter(({ strands }) => strands).map(({ name }) => name);

const pinned = ({ pool }: PoolScene): readonly string[] => pool.digestPinned ?? [];

const saidPinned = (scene: PoolScene) =>
  said(
    scene.pool.templateRef === undefined
      ? 'SandboxSet spec.template.spec.initContainers'
      : `SandboxTemplate ${scene.pool.templateRef} spec.template.spec.initContainers`,
    pinned(scene).join(', '),
  );

/** Where the image is named: the template of the pool, the one that it refers to, or what the controller injects. */
function retagPool(scene: PoolScene): Step[] {
  const { pool } = scene;
  if (pinned(scene).length === 0) return [retagInjection];
  if (pool.templateRef === undefined) return [step('RetagPool', { values: { pool: pool.name } })];
  const kubectl = [kubectlGet(pool.ns, 'sandboxtemplates', pool.templateRef, 'yaml')];
  return [step('RetagPoolTemplate', { values: { template: pool.templateRef }, kubectl })];
}

export const poolWouldStrand: Rule<PoolScene> = {
  code: 'PoolWouldStrand',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => stranding(scene).length > 0,
  evidence: (scene) => [
    said('counted: a pause would strand', stranding(scene).length),
    said('Sandbox', stranding(scene).slice(0, 5).join(', ')),
    saidPinned(scene),
  ],
  steps: (scene) => [...retagPool(scene), step('UpgradeClaimed')],
};

export const poolMayStrand: Rule<PoolScene> = {
  code: 'PoolMayStrand',
  kind: 'hint',
  confidence: 'possible',
  applies: (scene) => stranding(scene).length === 0 && (pinned(scene).length > 0 || scene.stats.injected > 0),
  evidence: (scene) => [
    saidPinned(scene),
    said('counted: Pods with a pinned init image that the template does not name', scene.stats.injected || undefined),
  ],
  steps: retagPool,
};

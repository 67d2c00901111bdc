import type { EventRow, KubeObject } from '@/lib/contracts/objects';
import type { ClaimRow, PoolRow, SandboxRow } from '@/lib/contracts/rows';
import { type ConditionFact, isTrue } from '../../facts';
import { kubectlDelete } from '../../kubectl';
import { record } from '../../read';
import type { Severity } from '../../severity';
import { conditionsOf } from '../read-sandbox';
import { type Rule, said, saidTime } from '../rule';
import { checkController, step, wait } from '../steps';
import type { Verdict } from '../verdict';
import { absent, verdictOf } from '../verdict-of';

export interface ClaimScene {
  claim: ClaimRow;
  /** For conditions that a row does not have. */
  object?: KubeObject;
  /** Of the claim, newest first. */
  events?: readonly EventRow[];
  /** Sandboxes of its namespace. */
  sandboxes?: readonly SandboxRow[];
  /** Of its namespace. */
  pools?: readonly PoolRow[];
  now: number;
}

const of = ({ object }: ClaimScene, type: string): ConditionFact | undefined =>
  conditionsOf(record(record(object).status).conditions)[type];

const deleteClaim = ({ ns, name }: ClaimRow) =>
  step('DeleteClaim', { kubectl: [kubectlDelete(ns, 'sandboxclaims', name)] });

/** Completed, again and again: the time of completion moves, so its TTL never comes (T34). */
export const claimPoolMissing: Rule<ClaimScene> = {
  code: 'ClaimPoolMissing',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) =>
    of(scene, 'Completed')?.reason === 'SandboxSetNotFound' ||
    (scene.claim.phase !== 'Completed' && scene.pools?.some(({ name }) => name === scene.claim.pool) === false),
  evidence: (scene) => [
    said('SandboxClaim spec.templateName', scene.claim.pool),
    said('SandboxClaim status.conditions[Completed].reason', of(scene, 'Completed')?.reason),
    saidTime('SandboxClaim status.completionTime', scene.claim.completed),
  ],
  steps: ({ claim }) => [step('CreatePool', { values: { pool: claim.pool } }), deleteClaim(claim)],
  useless: () => [wait()],
};

export const claimTimedOut: Rule<ClaimScene> = {
  code: 'ClaimTimedOut',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => isTrue(of(scene, 'TimedOut')),
  evidence: (scene) => [
    said('SandboxClaim status.conditions[TimedOut].reason', of(scene, 'TimedOut')?.reason),
    said('SandboxClaim status.message', scene.claim.message),
    ...saidCounts(scene),
  ],
  steps: ({ claim }) => [step('FillPool', { values: { pool: claim.pool } }), deleteClaim(claim)],
};

const saidCounts = ({ claim }: ClaimScene) => [
  said('SandboxClaim status.claimedReplicas', claim.claimed),
  said('SandboxClaim spec.replicas', claim.desired),
];

const noneAvailable = ({ events }: ClaimScene) => events?.find(({ reason }) => reason === 'NoAvailableSandboxes');

const living = ({ claim, sandboxes = [] }: ClaimScene): number =>
  sandboxes.filter(
    ({ owner, claimName, deleting }) => deleting === undefined && (owner === claim.uid || claimName === claim.name),
  ).length;

/** Its count comes from a cache; a warning just before is what tells it from a deletion by hand (T49, recorded `claim-runtime-init-fails`). */
export const claimCountsGone: Rule<ClaimScene> = {
  code: 'ClaimCountsGone',
  kind: 'fault',
  confidence: 'likely',
  applies: (scene) =>
    scene.claim.phase === 'Completed' &&
    scene.sandboxes !== undefined &&
    noneAvailable(scene) !== undefined &&
    (scene.claim.claimed ?? 0) > living(scene),
  evidence: (scene) => [
    ...saidCounts(scene),
    said('counted: sandboxes of the claim', living(scene)),
    said('Event NoAvailableSandboxes', noneAvailable(scene)?.message),
  ],
  steps: ({ claim }) => [step('ReclaimLater'), deleteClaim(claim)],
};

/** Tried again every two seconds until its time is over. */
export const claimWaits: Rule<ClaimScene> = {
  code: 'ClaimWaits',
  kind: 'wait',
  confidence: 'certain',
  applies: (scene) =>
    scene.claim.phase !== 'Completed' &&
    noneAvailable(scene) !== undefined &&
    (scene.claim.claimed ?? 0) < scene.claim.desired,
  evidence: (scene) => [...saidCounts(scene), said('Event NoAvailableSandboxes', noneAvailable(scene)?.message)],
  steps: ({ claim }) => [step('FillPool', { values: { pool: claim.pool } }), wait()],
};

/** The first status comes after the first pass; 20 s were recorded while sandboxes were made on demand. */
const firstStatusWithinMs = 60_000;

export const claimNotSeen: Rule<ClaimScene> = {
  code: 'ClaimNotSeen',
  kind: 'fault',
  confidence: 'possible',
  applies: ({ claim, now }) =>
    claim.phase === '' && claim.created !== undefined && now - claim.created > firstStatusWithinMs,
  evidence: ({ claim }) => [
    said('SandboxClaim status.phase', 'none'),
    saidTime('SandboxClaim metadata.creationTimestamp', claim.created),
  ],
  steps: () => [checkController()],
};

/** Half of what a claim waits by default. */
const patienceMs = 30_000;

export const claimRules = [claimPoolMissing, claimTimedOut, claimCountsGone, claimWaits, claimNotSeen] as const;

const phases: ReadonlySet<string> = new Set(['', 'Claiming', 'Completed']);

/** The verdict on a SandboxClaim. */
export function diagnoseClaim(scene: ClaimScene): Verdict {
  const { claim, now } = scene;
  const at = claim.completed ?? claim.started ?? claim.created;
  return verdictOf({
    subject: { kind: 'SandboxClaim', ns: claim.ns, name: claim.name, uid: claim.uid },
    state: claim.phase,
    rules: claimRules,
    scene,
    ...(at === undefined
      ? {}
      : { since: { at, clock: at === claim.created ? ('created' as const) : ('condition' as const) } }),
    now,
    severityOf: ({ kind }): Severity => (kind === 'wait' && now - (at ?? now) < patienceMs ? 'calm' : 'warn'),
    missing: absent({ Events: scene.events, Sandboxes: scene.sandboxes, SandboxSets: scene.pools }),
    unknown: phases.has(claim.phase) ? [] : [{ path: 'SandboxClaim status.phase', value: claim.phase }],
  });
}

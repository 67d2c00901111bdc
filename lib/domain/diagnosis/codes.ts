import type { CauseCode } from '@/lib/contracts/rows';

/** Beyond the causes that a row can have: what only whole objects and their neighbours tell. */
export const moreSandboxCodes = [
  'RuntimeTemplateMissing',
  'InplaceSuperseded',
  'WouldStrand',
  'MayStrand',
  'PauseLosesMore',
  'NotCleanedUp',
  'ReadyThoughDead',
  'NotReset',
  'OutdatedClaimed',
  'TemplateChangeIgnored',
  'LeftoverPolicy',
  'LeftoverFailedLabel',
  'LeftoverFinalizer',
  'OrphanedUpgrade',
  'HookWithoutRuntime',
  'NodeCordoned',
  'PastShutdown',
  'NoPodInfo',
] as const;

export const poolCodes = [
  'PoolNoTemplate',
  'PoolTemplateMissing',
  'PoolNameTooLong',
  'PoolNotSeen',
  'PoolShort',
  'PoolThrottled',
  'PoolRolloutBlocked',
  'PoolRolloutStarved',
  'PoolBelowBudget',
  'PoolLocked',
  'PoolSurplus',
  'PoolTemplateNotRolled',
  'PoolWouldStrand',
  'PoolMayStrand',
  'PoolAutoscaled',
  'PoolNameTwice',
  'PoolScalingLimited',
  'PoolContainerWiped',
  'PoolTokenForced',
] as const;

export const operationCodes = [
  'OperationDeadlocked',
  'OperationQuiet',
  'OperationWaits',
  'OperationNotTaken',
  'OperationDeletionWaits',
  'OperationPatchFails',
  'OperationNeverEnds',
  'OperationLeftOut',
  'OperationRetryFailed',
  'OperationFailures',
] as const;

export const otherCodes = [
  'ClaimPoolMissing',
  'ClaimTimedOut',
  'ClaimWaits',
  'ClaimCountsGone',
  'ClaimNotSeen',
  'CheckpointNotTaken',
  'CheckpointObjectFailed',
] as const;

export type FindingCode =
  | CauseCode
  | (typeof moreSandboxCodes)[number]
  | (typeof poolCodes)[number]
  | (typeof operationCodes)[number]
  | (typeof otherCodes)[number];

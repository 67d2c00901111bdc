import { queryOptions } from '@tanstack/react-query';
import type { UpgradeRow } from '@/lib/contracts/rows';
import { upgradeHistoryReply } from '@/lib/contracts/upgrade-history';
import { type CleanLeftoversRequest, cleanLeftoversReply } from '@/lib/contracts/upgrade-leftovers';
import { mostCounted, upgradeCurrentReply, upgradeMembersReply } from '@/lib/contracts/upgrade-members';
import {
  type DeleteUpgradeRequest,
  type SetGuardRequest,
  type SteerUpgradeRequest,
  setGuardReply,
} from '@/lib/contracts/upgrade-writes';
import { receipt } from '@/lib/contracts/writes';
import { isActive } from '@/lib/domain/upgrades/view';
import { readJson } from '@/lib/read-json';
import { post } from '../writes/api';

type Operation = Pick<UpgradeRow, 'ns' | 'name' | 'uid'>;
/** Of one that is gone, nothing can be asked any more. */
type Asked = Operation & Pick<UpgradeRow, 'phase'> & { goneAt?: number };
const pathOf = ({ ns, name }: Operation) => `/api/v1/upgrades/${encodeURIComponent(ns)}/${encodeURIComponent(name)}`;

/** Neither is in any row, and both follow from many sandboxes: read now and then, not with every change. */
const everyMs = 30_000;

/** What the console has seen of an operation besides its row. What cannot be had now is tried again. */
export const upgradeHistory = (op: Asked & Pick<UpgradeRow, 'paused'>) =>
  queryOptions({
    queryKey: ['upgrades', 'history', op.uid, op.phase, op.paused],
    queryFn: ({ signal }) => readJson(upgradeHistoryReply, `${pathOf(op)}/history`, { signal }),
    placeholderData: (before, query) => (query?.queryKey[2] === op.uid ? before : undefined),
    refetchInterval: ({ state }) => (isActive(op) || state.error ? everyMs : false),
    enabled: op.goneAt === undefined,
    retry: false,
  });

/** What matches it without being adopted. */
export const upgradeMembers = (op: Asked & Pick<UpgradeRow, 'total'>) =>
  queryOptions({
    queryKey: ['upgrades', 'members', op.uid, op.phase, op.total],
    queryFn: ({ signal }) => readJson(upgradeMembersReply, `${pathOf(op)}/members`, { signal }),
    placeholderData: (before, query) => (query?.queryKey[2] === op.uid ? before : undefined),
    refetchInterval: isActive(op) ? everyMs : false,
    enabled: op.goneAt === undefined,
    staleTime: everyMs,
    retry: false,
  });

type Counted = Operation & Pick<UpgradeRow, 'phase' | 'total'>;

/** How many of each are up to date already, of those operations that are not over; one request for all. */
export const upgradeCurrent = (ops: readonly Counted[]) => {
  const asked = ops.filter(isActive).slice(0, mostCounted);
  const operations = asked.map(({ ns, name }) => `${ns}/${name}`).join(',');
  return queryOptions({
    queryKey: ['upgrades', 'current', asked.map(({ uid, total }) => `${uid} ${total}`)],
    queryFn: ({ signal }) =>
      readJson(upgradeCurrentReply, `/api/v1/upgrades/current?operations=${encodeURIComponent(operations)}`, {
        signal,
      }),
    enabled: asked.length > 0,
    placeholderData: (before) => before,
    staleTime: everyMs,
    retry: false,
  });
};

export const sendSetting = (op: Operation, request: SteerUpgradeRequest, signal?: AbortSignal) =>
  post(receipt, `${pathOf(op)}/settings`, request, signal);

export const sendDeletion = (op: Operation, request: DeleteUpgradeRequest, signal?: AbortSignal) =>
  post(receipt, `${pathOf(op)}/delete`, request, signal);

export const sendGuard = (op: Operation, request: SetGuardRequest) =>
  post(setGuardReply, `${pathOf(op)}/guard`, request);

export const sendCleaning = (request: CleanLeftoversRequest, signal?: AbortSignal) =>
  post(cleanLeftoversReply, '/api/v1/upgrades/leftovers', request, signal);

import { queryOptions } from '@tanstack/react-query';
import type { UpgradeRow } from '@/lib/contracts/rows';
import {
  type CleanLeftoversRequest,
  cleanLeftoversReply,
  type DeleteUpgradeRequest,
  type SetGuardRequest,
  type SteerUpgradeRequest,
  setGuardReply,
  upgradeHistoryReply,
  upgradeMembersReply,
} from '@/lib/contracts/upgrades';
import { receipt } from '@/lib/contracts/writes';
import { isActive } from '@/lib/domain/upgrades/view';
import { readJson } from '@/lib/read-json';
import { post } from '../writes/api';

type Operation = Pick<UpgradeRow, 'ns' | 'name' | 'uid'>;
const pathOf = ({ ns, name }: Operation) => `/api/v1/upgrades/${encodeURIComponent(ns)}/${encodeURIComponent(name)}`;

/** Neither is in any row, and both follow from many sandboxes: read now and then, not with every change. */
const everyMs = 30_000;

/** What the console has seen of an operation besides its row. */
export const upgradeHistory = (op: Operation & Pick<UpgradeRow, 'phase' | 'paused'>) =>
  queryOptions({
    queryKey: ['upgrades', 'history', op.uid, op.phase, op.paused],
    queryFn: ({ signal }) => readJson(upgradeHistoryReply, `${pathOf(op)}/history`, { signal }),
    placeholderData: (before, query) => (query?.queryKey[2] === op.uid ? before : undefined),
    refetchInterval: isActive(op) ? everyMs : false,
    retry: false,
  });

/** What matches it without being adopted. */
export const upgradeMembers = (op: Operation & Pick<UpgradeRow, 'phase' | 'total'>) =>
  queryOptions({
    queryKey: ['upgrades', 'members', op.uid, op.phase, op.total],
    queryFn: ({ signal }) => readJson(upgradeMembersReply, `${pathOf(op)}/members`, { signal }),
    placeholderData: (before, query) => (query?.queryKey[2] === op.uid ? before : undefined),
    refetchInterval: isActive(op) ? everyMs : false,
    staleTime: everyMs,
    retry: false,
  });

export const sendSetting = (op: Operation, request: SteerUpgradeRequest, signal?: AbortSignal) =>
  post(receipt, `${pathOf(op)}/settings`, request, signal);

export const sendDeletion = (op: Operation, request: DeleteUpgradeRequest, signal?: AbortSignal) =>
  post(receipt, `${pathOf(op)}/delete`, request, signal);

export const sendGuard = (op: Operation, request: SetGuardRequest) =>
  post(setGuardReply, `${pathOf(op)}/guard`, request);

export const sendCleaning = (request: CleanLeftoversRequest, signal?: AbortSignal) =>
  post(cleanLeftoversReply, '/api/v1/upgrades/leftovers', request, signal);

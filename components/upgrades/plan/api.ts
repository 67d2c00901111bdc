import { type UpgradePreviewRequest, upgradePreviewReply } from '@/lib/contracts/upgrade-preview';
import type { CreateUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import { receipt } from '@/lib/contracts/writes';
import { ask, post } from '../../writes/api';

/** What an operation would take, leave out and change. */
export const previewUpgrade = (request: UpgradePreviewRequest, signal: AbortSignal) =>
  ask(upgradePreviewReply, '/api/v1/upgrades/preview', request, signal);

export const createUpgrade = (request: CreateUpgradeRequest, signal?: AbortSignal) =>
  post(receipt, '/api/v1/upgrades', request, signal);

import { type SandboxActionRequest, sandboxActionReply } from '@/lib/contracts/sandbox-writes';
import { post } from '../../writes/api';

/** What one request may name. */
export const namedAtMost = 500;

export const sendActions = (request: SandboxActionRequest, signal?: AbortSignal) =>
  post(sandboxActionReply, '/api/v1/sandboxes/actions', request, signal);

import { vi } from 'vitest';
import { type GuardedAction, guardedAction } from '@/lib/contracts/access';
import type { Receipt } from '@/lib/contracts/writes';

export type Sent = { path: string; body: Record<string, unknown>; signal: AbortSignal | undefined };
export type Answer = { status?: number; body: unknown };

const notFound: Answer = {
  status: 404,
  body: { code: 'not_found', status: 404, message: 'not found', requestId: 'r' },
};

/**
 * Puts an API of the console in the place of `fetch`. What is not answered is not found.
 * @param api.onGet reads, but for what the person may do
 * @param api.right what that is of an action, where it is not the plain right to patch sandboxes
 * @returns what was posted, the last one last
 */
export function consoleApi(api: {
  onPost: (sent: Sent) => Answer | Promise<Answer>;
  onGet?: (path: string) => unknown;
  right?: (action: GuardedAction) => { state?: 'allowed' | 'denied'; verb?: string; resource?: string };
}): Sent[] {
  const sent: Sent[] = [];
  const answer = async (path: string, init?: RequestInit): Promise<Answer> => {
    if (init?.method === 'POST') {
      const one = { path, body: JSON.parse(String(init.body)), signal: init.signal ?? undefined };
      sent.push(one);
      return api.onPost(one);
    }
    if (path.startsWith('/api/v1/access')) return { body: accessOf(api.right ?? (() => ({}))) };
    const body = api.onGet?.(path);
    return body === undefined ? notFound : { body };
  };
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const { status = 200, body } = await answer(path, init);
    return Response.json(body, { status });
  });
  return sent;
}

function accessOf(right: (action: GuardedAction) => object) {
  const plain = { state: 'allowed', verb: 'patch', group: 'agents.kruise.io', resource: 'sandboxes' };
  const actions = guardedAction.options.map((action) => [action, { ...plain, ...right(action) }]);
  return {
    time: 1,
    person: { subject: 'mara', groups: [], impersonated: false },
    namespace: 'lab',
    actions: Object.fromEntries(actions),
  };
}

/** What the console answers to a write of `body` that the cluster took. */
export const receiptTo = (
  body: Record<string, unknown>,
  over: Partial<Receipt> & Pick<Receipt, 'action' | 'object'>,
): Receipt => ({
  id: 'r-1',
  at: 1,
  actor: 'mara',
  dryRun: body.dryRun === true,
  changed: true,
  before: null,
  after: null,
  resourceVersion: '88',
  kubectl: 'kubectl …',
  warnings: [],
  ...over,
});

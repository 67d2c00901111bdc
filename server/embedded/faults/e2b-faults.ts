import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { HttpDoor } from '../e2b/http-door';
import type { E2bDoor } from '../e2b/start';
import { ControlError, fault, type Targets } from './fault';

const shared = { group: 'manager', needsManager: true } as const;
const share = z.number().min(0).max(1).default(1).describe('of the requests');

function e2bOf({ e2b }: Targets): E2bDoor {
  if (e2b === undefined) throw new ControlError(409, 'No sandbox-manager runs here.');
  return e2b;
}

/** Requests are taken and not answered until its end, which lets those go on that wait. */
function hang(door: HttpDoor): () => void {
  let goOn: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const leave = door.add(() => ({ until }));
  return () => {
    leave();
    goOn();
  };
}

const isCreate = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && /^(\/kruise\/api)?\/sandboxes\/?$/.test(url.split('?')[0] ?? '');

/** What Envoy writes when it waits in vain for what is behind it. */
const gatewayAnswers = {
  502: 'upstream connect error or disconnect/reset before headers. reset reason: protocol error',
  504: 'upstream request timeout',
} as const;

export const e2bFaults = {
  'manager-away': fault({
    ...shared,
    title: 'The sandbox-manager is away',
    does: 'Nobody can create, find or kill a sandbox by the E2B API: connections are refused, or what stands before the manager answers 503. Sandboxes that run go on.',
    ends: 'Requests are served again; keys and sandboxes are as before.',
    params: z.strictObject({
      how: z.enum(['refused', 'unavailable']).default('refused').describe('no connection, or 503'),
    }),
    start: (targets, { how }) => {
      const { manager } = e2bOf(targets);
      if (how === 'refused') return manager.listener.suspend();
      return manager.add(() => ({ answer: { status: 503, body: 'no healthy upstream' } }));
    },
  }),
  'manager-hangs': fault({
    ...shared,
    title: 'The sandbox-manager hangs',
    does: 'It takes requests and answers none, until whoever asked gives up. Sandboxes that run go on.',
    ends: 'Requests that still wait are served, then the others: what nobody waits for any more may be claimed, too.',
    params: z.strictObject({}),
    start: (targets) => hang(e2bOf(targets).manager),
  }),
  'manager-throttled': fault({
    ...shared,
    title: 'Requests for sandboxes are throttled (429)',
    does: 'What stands before the manager refuses a share of its requests with 429 and says when to come back.',
    ends: 'Requests are served again; those that were refused are not made up for.',
    params: z.strictObject({
      share,
      retryAfterSeconds: z.number().int().min(0).max(3600).default(1).describe('Retry-After of the answers'),
    }),
    start: (targets, { share: part, retryAfterSeconds }) =>
      e2bOf(targets).manager.add(() => {
        const headers = { 'Retry-After': String(retryAfterSeconds) };
        return Math.random() < part ? { answer: { status: 429, headers, body: 'Too Many Requests\n' } } : undefined;
      }),
  }),
  'manager-slow-create': fault({
    ...shared,
    title: 'Sandboxes are handed out slowly',
    does: 'Every create waits before the manager looks for a sandbox, as when many want one at once.',
    ends: 'Creates take what the pool takes. Those that wait go on waiting.',
    params: z.strictObject({
      ms: z.number().int().min(1).max(600_000).default(5000).describe('added to each create'),
    }),
    start: (targets, { ms }) =>
      e2bOf(targets).manager.add((request) => (isCreate(request) ? { delayMs: ms } : undefined)),
  }),
  'manager-key-rotation': fault({
    ...shared,
    title: 'The API key is rotated',
    does: 'The manager takes another key, which stands in the key file; whoever has the old one gets 401 Invalid API Key.',
    ends: 'The old key is valid again.',
    params: z.strictObject({}),
    once: true,
    start: (targets) => e2bOf(targets).rotateKey(),
  }),
  'gateway-errors': fault({
    ...shared,
    title: 'The gateway answers with errors',
    does: 'A share of the requests to runtimes is answered by the gateway itself: the sandbox runs and cannot be reached.',
    ends: 'Requests reach the runtimes again.',
    params: z.strictObject({ share, status: z.union([z.literal(502), z.literal(504)]).default(502) }),
    start: (targets, { share: part, status }) =>
      e2bOf(targets).gateway.add(() =>
        Math.random() < part
          ? { answer: { status, headers: { Server: 'envoy' }, body: gatewayAnswers[status] } }
          : undefined,
      ),
  }),
  'gateway-hangs': fault({
    ...shared,
    title: 'The gateway hangs',
    does: 'Requests to runtimes get no answer: code and files do not reach the sandboxes. Streams that are open go on.',
    ends: 'Requests that still wait reach the runtimes, then the others.',
    params: z.strictObject({}),
    start: (targets) => hang(e2bOf(targets).gateway),
  }),
  'gateway-stream-cut': fault({
    ...shared,
    title: 'Streams from sandboxes break off',
    does: 'The network loses the connection after some bytes of an answer, without an end; the command goes on in the sandbox.',
    ends: 'Answers come whole again. What was lost can be asked for anew.',
    params: z.strictObject({
      afterBytes: z.number().int().min(0).max(100_000_000).default(1000).describe('of the answer'),
    }),
    start: (targets, { afterBytes }) => e2bOf(targets).gateway.add(() => ({ cutAfterBytes: afterBytes })),
  }),
  'runtime-dies': fault({
    ...shared,
    title: 'The runtime in the sandboxes dies',
    does: 'The process that runs commands is gone: streams break off and the gateway answers 503. Kubernetes sees nothing: Sandbox and Pod stay Running and Ready.',
    ends: 'It is started again, without the files and processes that were there.',
    params: z.strictObject({ namespace: z.string().optional() }),
    once: true,
    start: async (targets, { namespace }) => {
      const { runtimes } = e2bOf(targets);
      await runtimes.killRuntimes(namespace);
      return () => runtimes.restartRuntimes();
    },
  }),
};

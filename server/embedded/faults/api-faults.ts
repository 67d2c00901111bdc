import type { Socket } from 'node:net';
import { z } from 'zod';
import { skewClock } from '../apiserver/core/clock';
import { type ApiDoor, isWatch, type Rule } from './api-door';
import { ControlError, fault, type Targets } from './fault';

const seconds = (most: number) => z.number().min(0).max(most);
/** Which requests a fault is about; all of them unless said. */
const which = {
  share: z.number().min(0).max(1).default(1).describe('of the requests'),
  methods: z.array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])).optional(),
  resource: z.string().optional().describe('plural, as in the path: sandboxes'),
};
const whichSchema = z.strictObject(which);

function concerns({ share, methods, resource }: z.infer<typeof whichSchema>): (...args: Parameters<Rule>) => boolean {
  return ({ method, url }) =>
    (methods === undefined || methods.some((one) => one === method)) &&
    (resource === undefined || url.split('?')[0]?.split('/').includes(resource) === true) &&
    Math.random() < share;
}

function doorOf({ door }: Targets): ApiDoor {
  if (door === undefined) throw new ControlError(409, 'The API server of another cluster cannot be made to fail.');
  return door;
}

const failure = (code: number, reason: string, message: string) => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
});

/** How each status comes: from an API server whose storage, whose server behind it, or whose time has failed; 502 is a proxy's. */
const errors = {
  500: failure(500, 'InternalError', 'Internal error occurred: etcdserver: request timed out'),
  502: { status: 502, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'Bad Gateway\n' },
  503: failure(503, 'ServiceUnavailable', 'the server is currently unable to handle the request'),
  504: failure(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout'),
} as const;

const shared = { group: 'apiserver', needsDoor: true } as const;

export const apiFaults = {
  'api-drop-watches': fault({
    ...shared,
    title: 'Watches are dropped',
    does: 'Every open watch ends, once or again and again. Whoever watches resumes from the last version it saw.',
    ends: 'Nothing is left: watches are opened again by their clients.',
    params: z.strictObject({
      everySeconds: seconds(3600).optional().describe('again and again; once when absent'),
      abruptly: z.boolean().default(false).describe('cuts the connections instead of ending the answers'),
    }),
    start: (targets, { everySeconds, abruptly }) => {
      const door = doorOf(targets);
      const drop = () => (abruptly ? door.eachWatch((socket) => socket.destroy())() : door.server.closeAllWatches());
      drop();
      const timer = everySeconds === undefined ? undefined : setInterval(drop, Math.max(0.1, everySeconds) * 1000);
      return () => clearInterval(timer);
    },
  }),
  'api-half-open': fault({
    ...shared,
    title: 'Watches fall silent',
    does: 'Watches stay open and bring no byte any more, as when a firewall has forgotten the connection. Everything else works.',
    ends: 'What was held back arrives late, all at once.',
    params: z.strictObject({}),
    start: (targets) => {
      const silent = new Set<Socket>();
      const end = doorOf(targets).eachWatch((socket) => {
        if (!silent.has(socket)) socket.cork();
        silent.add(socket);
      });
      return () => {
        end();
        for (const socket of silent) socket.uncork();
      };
    },
  }),
  'api-gone': fault({
    ...shared,
    title: 'Old versions are forgotten (410)',
    does: 'The API server forgets its history: a watch that resumes gets 410 Gone and has to list again. Once, or for every watch.',
    ends: 'Watches resume again.',
    params: z.strictObject({ always: z.boolean().default(false).describe('every watch, not only those open now') }),
    start: (targets, { always }) => {
      const door = doorOf(targets);
      door.server.compact();
      const { body } = failure(410, 'Expired', 'too old resource version: 1 (2282)');
      const event = `${JSON.stringify({ type: 'ERROR', object: body })}\n`;
      const end = always
        ? door.add((request) => (isWatch(request) ? { status: 200, body: event } : undefined))
        : () => undefined;
      door.server.closeAllWatches();
      return end;
    },
  }),
  'api-errors': fault({
    ...shared,
    title: 'The API server answers with errors',
    does: 'A share of the requests is answered with an error of the server instead of being done.',
    ends: 'Requests are done again; what was refused is not made up for.',
    params: z.strictObject({
      ...which,
      share: which.share.default(0.5),
      status: z.union(([500, 502, 503, 504] as const).map((code) => z.literal(code))).default(500),
    }),
    start: (targets, { status, ...of }) => {
      const isOne = concerns(of);
      return doorOf(targets).add((request) => (isOne(request) ? errors[status] : undefined));
    },
  }),
  'api-throttle': fault({
    ...shared,
    title: 'Too many requests (429)',
    does: 'Requests are turned away with 429 and a time after which they may come again.',
    ends: 'Requests are let in again.',
    params: z.strictObject({ ...which, retryAfterSeconds: seconds(600).default(2) }),
    start: (targets, { retryAfterSeconds, ...of }) => {
      const isOne = concerns(of);
      const headers = { 'Retry-After': String(retryAfterSeconds), 'Content-Type': 'text/plain; charset=utf-8' };
      const refused = { status: 429, headers, body: 'Too many requests, please try again later.\n' };
      return doorOf(targets).add((request) => (isOne(request) ? refused : undefined));
    },
  }),
  'api-slow': fault({
    ...shared,
    title: 'The API server is slow',
    does: 'Every answer comes late.',
    ends: 'Answers come at once again; those on their way still take their time.',
    params: z.strictObject({ ...which, ms: z.number().int().min(1).max(60_000).default(2000) }),
    start: (targets, { ms, ...of }) => {
      const isOne = concerns(of);
      return doorOf(targets).add((request) => (isOne(request) ? { delayMs: ms } : undefined));
    },
  }),
  'api-restart': fault({
    ...shared,
    once: true,
    title: 'The API server restarts',
    does: 'All connections are cut and new ones refused for a few seconds. The data stays.',
    ends: 'It listens again, on the same port.',
    params: z.strictObject({ downSeconds: seconds(600).default(5) }),
    lasts: ({ downSeconds }) => downSeconds,
    start: (targets) => doorOf(targets).server.suspend(),
  }),
  'api-token-rotation': fault({
    ...shared,
    once: true,
    title: 'A token is rotated',
    does: 'A person gets another token, which is written into the kubeconfig; the old one is answered with 401.',
    ends: 'The token of before is back, in the kubeconfig as well.',
    params: z.strictObject({ person: z.enum(['admin', 'operator', 'viewer', 'scaler', 'tenant']).default('admin') }),
    start: (targets, { person }) => {
      const door = doorOf(targets);
      door.setToken(person, `practice-${person}-${Date.now().toString(36)}`);
      return () => door.setToken(person, undefined);
    },
  }),
  'api-clock-skew': fault({
    ...shared,
    once: true,
    title: 'The clock of the API server is off',
    does: 'Times that the API server writes (creation, deletion, the Date of its answers) are off by some seconds; those of controllers and nodes are not.',
    ends: 'Its clock is right again; what was written keeps its time.',
    params: z.strictObject({ seconds: z.number().min(-86_400).max(86_400).default(300).describe('negative: behind') }),
    start: (targets, params) => {
      doorOf(targets);
      skewClock(params.seconds * 1000);
      return () => skewClock(0);
    },
  }),
};

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stop } from '../../bin/lib/report.mjs';
import { loopbackCertificate } from '../apiserver/certificate';
import { Api, isNotFound } from '../controllers/client/api';
import { type ApiConnection, isLoopback } from '../controllers/connect';
import { configuration, probe } from './configurations';
import { judge, reviewSchema } from './review';

const NAME = 'agents-simulator';
const PROBE = 'agents-simulator-probe';
const PROBE_MS = 5_000;
const ROOT = '/apis/admissionregistration.k8s.io/v1';
const KINDS = [
  ['MutatingWebhookConfiguration', 'mutatingwebhookconfigurations'],
  ['ValidatingWebhookConfiguration', 'validatingwebhookconfigurations'],
] as const;

/** The agents webhooks of another API server on this machine. */
export interface Webhooks {
  /** Nothing listens where they were, or again something does. */
  setAway(away: boolean): Promise<void>;
  /** Takes them out of the API server. */
  stop(): Promise<void>;
}

/** The API server does not call webhooks here, mostly because it does not run here: with them it would refuse every write. */
export class WebhooksOutOfReach extends Stop {
  constructor({ baseUrl }: ApiConnection) {
    super(
      `The API server ${baseUrl} does not call webhooks at this machine’s loopback address.`,
      'Leave --webhooks out, or run this where that API server runs.',
    );
  }
}

/**
 * Answers the admission calls of an API server on this machine by the embedded rules, and has it call. `atStop` is told how to
 * take them out again before anything is put in.
 * @throws WebhooksOutOfReach when it cannot call them; then it is left without.
 */
export async function serveWebhooks(
  connection: ApiConnection,
  atStop: (stop: () => Promise<void>) => void,
): Promise<Webhooks> {
  if (!isLoopback(connection)) throw new WebhooksOutOfReach(connection);
  const api = new Api(connection);
  const stopping = new AbortController();
  const certificate = loopbackCertificate();
  let ownUser = '';
  let reached = false;
  const server = createServer(certificate, async (request, response) => {
    try {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { request: asked } = reviewSchema.parse(JSON.parse(text));
      const path = (request.url ?? '').split(/[/?]/)[1] ?? '';
      if (path === PROBE) reached = true;
      const verdict = path === PROBE ? { allowed: true } : await judge(api, ownUser, path, asked);
      const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
      response.setHeader('Content-Type', 'application/json');
      // No connection is left over that would end in another way than by being refused.
      response.setHeader('Connection', 'close');
      response.end(JSON.stringify({ ...review, response: { uid: asked.uid, ...verdict } }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  let port = 0;
  const install = async () => {
    const me = (await api.create('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    })) as { status: { userInfo: { username: string } } };
    ownUser = me.status.userInfo.username;
    await listen(0);
    port = (server.address() as AddressInfo).port;
    const url = `https://127.0.0.1:${port}`;
    await remove(api);
    await api
      .create(`${ROOT}/validatingwebhookconfigurations`, probe(PROBE, url, certificate.cert))
      .catch((error: unknown) => {
        // The embedded API server has its webhooks built in, and knows no others.
        throw isNotFound(error) ? new WebhooksOutOfReach(connection) : error;
      });
    const isReached = await becomesTrue(() => call(api).then(() => reached), stopping.signal);
    await removeOne(api, 'validatingwebhookconfigurations', PROBE);
    if (!isReached) throw new WebhooksOutOfReach(connection);
    for (const [kind, plural] of KINDS) {
      stopping.signal.throwIfAborted();
      await api.create(`${ROOT}/${plural}`, configuration(kind, NAME, url, certificate.cert));
    }
  };
  const takeOut = async () => {
    stopping.abort();
    await installing.catch(() => undefined);
    await remove(api);
    if (server.listening) await close();
    api.close();
  };
  const installing = install();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= takeOut();
    return stopped;
  };
  atStop(stop);
  try {
    await installing;
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return {
    setAway: async (away) => {
      if (away && server.listening) await close();
      if (!away && !server.listening) await listen(port);
    },
    stop,
  };
}

/** A write that the probe is called for, and that leaves nothing. */
const call = (api: Api) =>
  api.create('/api/v1/namespaces/default/configmaps?dryRun=All', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'probe-', labels: { [PROBE]: '' } },
  });

/** An API server learns of a new configuration a moment later. */
async function becomesTrue(look: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  for (const deadline = Date.now() + PROBE_MS; Date.now() < deadline; await sleep(100, undefined, { signal })) {
    if (await look()) return true;
  }
  return false;
}

async function remove(api: Api): Promise<void> {
  await removeOne(api, 'validatingwebhookconfigurations', PROBE);
  for (const [, plural] of KINDS) await removeOne(api, plural, NAME);
}

const removeOne = (api: Api, plural: string, name: string): Promise<unknown> =>
  api.remove(`${ROOT}/${plural}/${name}`).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Stop } from '../../bin/lib/report.mjs';
import { loopbackCertificate } from '../apiserver/serving/certificate';
import { Api, isConflict, isNotFound } from '../controllers/client/api';
import { type ApiConnection, isLoopback } from '../controllers/connect';
import { configuration, type Endpoint, probe } from './configurations';
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
 * Answers the admission calls of an API server on this machine by the embedded rules, and has it call: for all namespaces unless
 * some are named. What an earlier run left behind is replaced. `atStop` is told how to take them out again before anything is
 * put in.
 * @throws WebhooksOutOfReach when it cannot call them; then it is left without.
 */
export async function serveWebhooks(
  connection: ApiConnection,
  atStop: (stop: () => Promise<void>) => void,
  namespaces?: readonly string[],
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
  let endpoint: Endpoint | undefined;
  const install = async () => {
    const me = (await api.create('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    })) as { status: { userInfo: { username: string } } };
    ownUser = me.status.userInfo.username;
    await listen(0);
    port = (server.address() as AddressInfo).port;
    await remove(api);
    endpoint = { url: `https://127.0.0.1:${port}`, ca: certificate.cert };
    await api.create(`${ROOT}/validatingwebhookconfigurations`, probe(PROBE, endpoint)).catch((error: unknown) => {
      // The embedded API server has its webhooks built in, and knows no others.
      throw isNotFound(error) ? new WebhooksOutOfReach(connection) : error;
    });
    const isReached = await becomesTrue(() => call(api).then(() => reached), stopping.signal);
    await removeOne(api, 'validatingwebhookconfigurations', PROBE, endpoint);
    if (!isReached) throw new WebhooksOutOfReach(connection);
    for (const [kind, plural] of KINDS) {
      stopping.signal.throwIfAborted();
      await api.create(`${ROOT}/${plural}`, configuration(kind, NAME, endpoint, namespaces));
    }
  };
  const takeOut = async () => {
    stopping.abort();
    await installing.catch(() => undefined);
    if (endpoint !== undefined) await remove(api, endpoint);
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

const keptSchema = z.object({
  metadata: z.object({ uid: z.string() }),
  webhooks: z.array(z.object({ clientConfig: z.object({ url: z.string().optional() }) })).default([]),
});

async function remove(api: Api, of?: Endpoint): Promise<void> {
  await removeOne(api, 'validatingwebhookconfigurations', PROBE, of);
  for (const [, plural] of KINDS) await removeOne(api, plural, NAME, of);
}

/** With an endpoint only what leads there: a run that began meanwhile has put in its own. */
async function removeOne(api: Api, plural: string, name: string, of?: Endpoint): Promise<void> {
  const path = `${ROOT}/${plural}/${name}`;
  try {
    const { metadata, webhooks } = keptSchema.parse(await api.get(path));
    if (of !== undefined && !webhooks.some(({ clientConfig }) => clientConfig.url?.startsWith(`${of.url}/`))) return;
    await api.remove(path, { preconditions: { uid: metadata.uid } });
  } catch (error) {
    // Somebody else was faster.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

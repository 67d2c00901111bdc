import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate } from '../apiserver/certificate';
import { Api, isNotFound } from '../controllers/client/api';
import type { ApiConnection } from '../controllers/connect';
import { configuration } from './configurations';
import { judge, reviewSchema } from './review';

const NAME = 'agents-simulator';
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

/** Answers the admission calls of an API server on this machine by the embedded rules, and has it call. */
export async function serveWebhooks(connection: ApiConnection): Promise<Webhooks> {
  const api = new Api(connection);
  const me = (await api.create('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
  })) as { status: { userInfo: { username: string } } };
  const certificate = loopbackCertificate();
  const server = createServer(certificate, async (request, response) => {
    try {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { request: asked } = reviewSchema.parse(JSON.parse(text));
      const verdict = await judge(api, me.status.userInfo.username, (request.url ?? '').split(/[/?]/)[1] ?? '', asked);
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
  await listen(0);
  const { port } = server.address() as AddressInfo;
  await remove(api);
  for (const [kind, plural] of KINDS) {
    await api.create(`${ROOT}/${plural}`, configuration(kind, NAME, `https://127.0.0.1:${port}`, certificate.cert));
  }
  return {
    setAway: async (away) => {
      if (away && server.listening) await close();
      if (!away && !server.listening) await listen(port);
    },
    stop: async () => {
      await remove(api);
      if (server.listening) await close();
      api.close();
    },
  };
}

async function remove(api: Api): Promise<void> {
  for (const [, plural] of KINDS) {
    await api.remove(`${ROOT}/${plural}/${NAME}`).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

import 'server-only';
import http from 'node:http';
import https from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { ClusterConfig } from './config';

/** Token files and certificates rotate; exec plugins know themselves when theirs expire. */
const readAgainMs = 60_000;

export interface Credentials {
  headers: Record<string, string>;
  /** Keeps connections; another one when the TLS material has changed. */
  agent: http.Agent | https.Agent;
  tls: https.RequestOptions;
}

/** The console's own identity for a cluster, kept fresh: read again every minute, and at once when it was refused. */
export class CredentialSource {
  #config: ClusterConfig;
  #now: () => number;
  #kube: KubeConfig;
  #current: { credentials: Promise<Credentials>; at: number } | undefined;
  #agent: { key: string; agent: http.Agent | https.Agent } | undefined;

  constructor(config: ClusterConfig, now: () => number = Date.now) {
    this.#config = config;
    this.#now = now;
    this.#kube = config.load();
  }

  /** @param refused the credentials that the API server answered with 401, to be replaced */
  async get(refused?: Credentials): Promise<Credentials> {
    const known = this.#current;
    if (known && this.#now() - known.at < readAgainMs && (!refused || (await known.credentials) !== refused)) {
      return known.credentials;
    }
    if (refused) this.#kube = this.#config.load();
    const credentials = this.#read();
    const entry = { credentials, at: this.#now() };
    this.#current = entry;
    credentials.catch(() => {
      if (this.#current === entry) this.#current = undefined;
    });
    return credentials;
  }

  async #read(): Promise<Credentials> {
    const options: https.RequestOptions = { headers: {} };
    await this.#kube.applyToHTTPSOptions(options);
    // The agent it made does not keep connections, and `auth` would be sent beside our own header.
    const { headers: given, auth, agent: _agent, ...tls } = options;
    const headers = Object.fromEntries(
      Object.entries(given ?? {}).map(([name, value]) => [name, String(value).trim()]),
    );
    if (auth) headers.Authorization = `Basic ${Buffer.from(auth).toString('base64')}`;
    return { headers, tls, agent: this.#agentFor(tls) };
  }

  #agentFor(tls: https.RequestOptions): http.Agent | https.Agent {
    const key = [tls.ca, tls.cert, tls.key].map(String).join('\n');
    if (this.#agent?.key !== key) {
      if (this.#agent) retire(this.#agent.agent);
      const make = this.#config.server.protocol === 'http:' ? http.Agent : https.Agent;
      this.#agent = { key, agent: new make({ keepAlive: true, maxFreeSockets: 16 }) };
    }
    return this.#agent.agent;
  }
}

/** Closes its connections: those that are free now, the others when what runs on them has ended. */
function retire(agent: http.Agent | https.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

import { readFileSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';

/** How to reach an API server. PEM texts in `tls`; `headers` go with every request (a bearer token, for instance). */
export interface ApiConnection {
  baseUrl: string;
  headers?: Record<string, string>;
  tls?: { ca?: string; cert?: string; key?: string; servername?: string; rejectUnauthorized?: boolean };
}

/** An API server that asks for no credentials, unless `headers` carry them. */
export function connectUrl(baseUrl: string, headers: Record<string, string> = {}): ApiConnection {
  return { baseUrl: baseUrl.replace(/\/+$/, ''), headers };
}

/** Whether its address is this machine's own loopback; what listens there may still pass on to elsewhere. */
export const isLoopback = ({ baseUrl }: ApiConnection): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);

/**
 * The cluster of a kubeconfig: server, CA, bearer token or client certificate.
 * @throws Error when the context, its cluster or its user does not exist.
 */
export function connectKubeconfig(file: string, context?: string): ApiConnection {
  const config = new KubeConfig();
  config.loadFromFile(file);
  if (context !== undefined) {
    if (config.getContextObject(context) === null) throw new Error(`context "${context}" does not exist in ${file}`);
    config.setCurrentContext(context);
  }
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  if (cluster === null || user === null) throw new Error(`${file} has no current context with a cluster and a user`);
  const ca = pem(cluster.caData, cluster.caFile);
  const cert = pem(user.certData, user.certFile);
  const key = pem(user.keyData, user.keyFile);
  return {
    baseUrl: cluster.server.replace(/\/+$/, ''),
    ...(user.token ? { headers: { Authorization: `Bearer ${user.token}` } } : {}),
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(cluster.tlsServerName ? { servername: cluster.tlsServerName } : {}),
      ...(cluster.skipTLSVerify ? { rejectUnauthorized: false } : {}),
    },
  };
}

function pem(data: string | undefined, file: string | undefined): string | undefined {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  return file ? readFileSync(file, 'utf8') : undefined;
}

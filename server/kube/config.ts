import 'server-only';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Environment } from '@/server/env';

/** No cluster can be reached with what was given; the message says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface ClusterConfig {
  /** Name of the context, `in-cluster`, or `embedded`. */
  name: string;
  server: URL;
  embedded: boolean;
  /** Reads the configuration anew, so that rotated files and tokens count. */
  load(): KubeConfig;
}

/**
 * Which cluster: the kubeconfig that was named, else the Pod's own. Never a default file and never another
 * cluster than the one asked for.
 * @throws {ConfigError} with the remedy
 */
export function clusterConfig(env: Environment): ClusterConfig {
  const { CONSOLE_KUBECONFIG: file, CONSOLE_CONTEXT: context, CONSOLE_EMBEDDED: embedded } = env;
  if (file) {
    const kube = loadFile(path.resolve(file), context);
    const chosen = kube.getCurrentContext();
    const server = serverOf(kube, file);
    // The file may turn to another cluster meanwhile; the credentials of that one are not for this.
    const load = () => {
      const again = loadFile(path.resolve(file), chosen);
      const now = serverOf(again, file);
      if (now.href === server.href) return again;
      throw new ConfigError(
        `The context ${chosen} of ${file} is now ${now.href}. Start the console again to watch that.`,
      );
    };
    return { name: embedded ? 'embedded' : chosen, server, embedded, load };
  }
  if (context) throw new ConfigError(`CONSOLE_CONTEXT is ${context}, but no CONSOLE_KUBECONFIG says where to find it.`);
  if (env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT) {
    const load = () => {
      const kube = new KubeConfig();
      kube.loadFromCluster();
      return kube;
    };
    return { name: 'in-cluster', server: serverOf(load(), 'the service account'), embedded, load };
  }
  throw new ConfigError(
    'No cluster is configured. Set CONSOLE_KUBECONFIG to a kubeconfig file (and CONSOLE_CONTEXT to one of its contexts), ' +
      'run the console in a Pod with a service account, or start it with `npm start`, which brings its own cluster.',
  );
}

const tokenFiles = z.object({
  users: z
    .array(z.object({ name: z.string(), user: z.object({ tokenFile: z.string().optional() }).nullish() }))
    .nullish(),
});

/** The library does not know `tokenFile` of a user, but reads (and reads again) what an authentication provider names so. */
function withTokenFiles(kube: KubeConfig, file: string, content: string): void {
  const users = tokenFiles.safeParse(parse(content)).data?.users ?? [];
  for (const { name, user } of users) {
    if (!user?.tokenFile) continue;
    // Without the mark, the build takes this for any file beside this one, and copies the folder into the image.
    const tokenFile = path.resolve(/* turbopackIgnore: true */ path.dirname(file), user.tokenFile);
    kube.users = kube.users.map((each) =>
      each.name === name ? { ...each, authProvider: { name: 'tokenFile', config: { tokenFile } } } : each,
    );
  }
}

function loadFile(file: string, context: string | undefined): KubeConfig {
  const kube = new KubeConfig();
  try {
    kube.loadFromFile(file);
    withTokenFiles(kube, file, readFileSync(file, 'utf8'));
    // Plain http has nothing to verify, which the library wants to be told.
    kube.clusters = kube.clusters.map((each) =>
      /^http:/i.test(each.server) ? { ...each, skipTLSVerify: true } : each,
    );
  } catch (error) {
    throw new ConfigError(`The kubeconfig ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (context) {
    if (!kube.getContextObject(context)) {
      const known = kube.getContexts().map((each) => each.name);
      throw new ConfigError(`The kubeconfig ${file} has no context ${context}. It has: ${known.join(', ') || 'none'}.`);
    }
    kube.setCurrentContext(context);
  }
  return kube;
}

function serverOf(kube: KubeConfig, from: string): URL {
  const cluster = kube.getCurrentCluster();
  if (!cluster?.server) {
    const name = kube.getCurrentContext();
    throw new ConfigError(
      name
        ? `Context ${name} of ${from} names no cluster that has a server address.`
        : `${from} has no current context. Set CONSOLE_CONTEXT to one of: ${kube
            .getContexts()
            .map((each) => each.name)
            .join(', ')}.`,
    );
  }
  if (cluster.proxyUrl) {
    throw new ConfigError(`Cluster ${cluster.name} of ${from} wants a proxy (proxy-url), which is not supported.`);
  }
  try {
    return new URL(cluster.server);
  } catch {
    throw new ConfigError(`Cluster ${cluster.name} of ${from} has a server address that is no URL: ${cluster.server}`);
  }
}

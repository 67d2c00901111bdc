import { existsSync, readFileSync } from 'node:fs';
import { Stop } from './report.mjs';

const tokenFile = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Kubernetes gives every container this variable, and a token unless the Pod asks for none. */
export function runsInPod() {
  return Boolean(process.env.KUBERNETES_SERVICE_HOST) && existsSync(tokenFile);
}

/**
 * The context that will be used, or a {@link Stop} that lists those that exist.
 * @param {string} path
 * @param {string | undefined} context the one asked for; else the file's current one
 * @param {(text: string) => unknown} parse YAML
 * @returns {string}
 */
export function chosenContext(path, context, parse) {
  let config;
  try {
    config = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') throw missingKubeconfig(path);
    const sentence = `The kubeconfig ${path} cannot be read: ${error.message.split('\n')[0]}`;
    throw new Stop(sentence, 'Give a file that kubectl accepts: kubectl --kubeconfig FILE config view');
  }
  const names = Array.isArray(config?.contexts) ? config.contexts.map((entry) => entry?.name).filter(Boolean) : [];
  const wanted = context ?? config?.['current-context'];
  if (names.includes(wanted)) return wanted;
  const sentence = wanted
    ? `The kubeconfig ${path} has no context "${wanted}".`
    : `The kubeconfig ${path} names no current context.`;
  const remedy =
    names.length > 0 ? `Choose one of: ${names.join(', ')} (--context NAME).` : 'It has no contexts at all.';
  throw new Stop(sentence, remedy);
}

/** @param {string} path */
export function missingKubeconfig(path) {
  return new Stop(`There is no kubeconfig at ${path}.`, 'Give the path of an existing one: --kubeconfig FILE');
}

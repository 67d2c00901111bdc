import { existsSync, readFileSync } from 'node:fs';
import { Stop } from './report.mjs';

const tokenFile = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Kubernetes gives every container this variable, and a token unless the Pod asks for none. */
export function runsInPod() {
  return Boolean(process.env.KUBERNETES_SERVICE_HOST) && existsSync(tokenFile);
}

const sayAnother = 'Give a file that kubectl accepts: kubectl --kubeconfig FILE config view';

function readKubeconfig(path, parse) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') throw missingKubeconfig(path);
    throw new Stop(`The kubeconfig ${path} cannot be read: ${error.message}.`, sayAnother);
  }
  const not = (why) => new Stop(`${path} is not a kubeconfig: ${why}.`, sayAnother);
  if (text.trim() === '') throw not('it is empty');
  let config;
  try {
    config = parse(text);
  } catch (error) {
    // Its first line ends with the place and a colon; what is quoted below that may be a secret.
    throw not(`it is no valid YAML (${error.message.split('\n')[0].replace(/:$/, '')})`);
  }
  const names = (list) => (Array.isArray(list) ? list.map((entry) => entry?.name).filter(Boolean) : []);
  if (names(config?.contexts).length === 0) throw not('it has no contexts');
  return { config, names: names(config.contexts) };
}

/**
 * The context that will be used, or a {@link Stop} that lists those that exist.
 * @param {string} path
 * @param {string | undefined} context the one asked for; else the file's current one
 * @param {(text: string) => unknown} parse YAML
 * @returns {string}
 */
export function chosenContext(path, context, parse) {
  const { config, names } = readKubeconfig(path, parse);
  const wanted = context ?? config['current-context'];
  if (names.includes(wanted)) return wanted;
  const sentence = wanted
    ? `The kubeconfig ${path} has no context "${wanted}".`
    : `The kubeconfig ${path} names no current context.`;
  throw new Stop(sentence, `Choose one of: ${names.join(', ')} (--context NAME).`);
}

/**
 * The address of a context's API server; undefined when the file has none.
 * @param {string} path
 * @param {string} context
 * @param {(text: string) => unknown} parse YAML
 * @returns {string | undefined}
 */
export function serverOf(path, context, parse) {
  const { config } = readKubeconfig(path, parse);
  const cluster = config.contexts.find((entry) => entry?.name === context)?.context?.cluster;
  const list = Array.isArray(config.clusters) ? config.clusters : [];
  return list.find((entry) => entry?.name === cluster)?.cluster?.server;
}

/** @param {string} path */
export function missingKubeconfig(path) {
  return new Stop(`There is no kubeconfig at ${path}.`, 'Give the path of an existing one: --kubeconfig FILE');
}

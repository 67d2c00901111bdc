import type { Container, Sandbox } from '../../controllers/client/objects';
import { annotation, label } from '../../controllers/rules/keys';
import { quantity } from '../../controllers/rules/resources';
import { poolOwner, sandboxState } from '../../controllers/rules/state';
import { endOf } from './ends';

const prefix = 'e2b.agents.kruise.io/';
const reserved = /^(e2b\.)?agents\.kruise\.io\//;
/** Constant, whatever runs in the sandbox (recorded: runtime-new). */
const envdVersion = '0.2.10';

/** Own annotations, of which answers show something else. */
export const shown = { network: `${prefix}network`, ip: `${prefix}return-sandbox-ip` } as const;

export const idOf = ({ metadata }: Sandbox): string => `${metadata.namespace}--${metadata.name}`;

/** `namespace/name` of an id; undefined for a text that is none. */
export function keyOfId(id: string): string | undefined {
  const at = id.indexOf('--');
  return at > 0 ? `${id.slice(0, at)}/${id.slice(at + 2)}` : undefined;
}

export type ShownState = 'running' | 'paused';

/** Undefined: it is there and cannot be used. One that runs and is not ready is called running. */
export function shownState(sandbox: Sandbox): ShownState | undefined {
  const state = sandboxState(sandbox);
  if (state === 'running' || state === 'paused') return state;
  const runs = state === 'dead' && sandbox.status?.phase === 'Running' && poolOwner(sandbox) === undefined;
  return runs ? 'running' : undefined;
}

/** Labels and annotations of the user's own, in the order of their names. */
export function metadataOf({ metadata, status }: Sandbox): Record<string, string> {
  const all = Object.entries({ ...metadata.labels, ...metadata.annotations }).filter(([key]) => !reserved.test(key));
  all.push([`${prefix}sandbox-resource`, `${metadata.namespace}/${metadata.name}`]);
  if (metadata.annotations?.[shown.ip] === 'true') all.push([`${prefix}sandbox-ip`, status?.podInfo?.podIP ?? '']);
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A sandbox as answers show it.
 * @param domain the Host of the request
 * @param withToken lists leave it out
 */
export function sandboxView(sandbox: Sandbox, state: ShownState, domain: string, withToken: boolean) {
  const { annotations = {}, labels = {} } = sandbox.metadata;
  const token = annotations[annotation.accessToken];
  const network = annotations[shown.network];
  return {
    templateID: labels[label.template] ?? '',
    sandboxID: idOf(sandbox),
    clientID: '',
    startedAt: annotations[annotation.claimTimestamp] ?? '<unknown>',
    endAt: endOf(sandbox),
    envdVersion,
    ...(withToken && token !== undefined ? { envdAccessToken: token } : {}),
    domain,
    ...sizeOf(sandbox.spec.template?.spec?.containers),
    alias: '',
    metadata: metadataOf(sandbox),
    state,
    ...(network === undefined ? {} : { network: JSON.parse(network) as unknown }),
  };
}

/** Limits, else requests, of all containers; whole cores and MiB. */
export function sizeOf(containers: Container[] | undefined) {
  const sum = (name: string) =>
    (containers ?? []).reduce((total, { resources }) => {
      const amount = quantity(resources?.limits?.[name] ?? resources?.requests?.[name] ?? '0');
      return total + (Number.isNaN(amount) ? 0 : amount);
    }, 0);
  return { cpuCount: Math.ceil(sum('cpu')), memoryMB: Math.floor(sum('memory') / 2 ** 20), diskSizeMB: 0 };
}

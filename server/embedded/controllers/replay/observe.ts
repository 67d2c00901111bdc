import {
  checkpointSchema,
  podSchema,
  sandboxClaimSchema,
  sandboxSchema,
  sandboxSetSchema,
  sandboxUpdateOpsSchema,
} from '../client/objects';
import { label } from '../rules/keys';
import type { Seen } from './recording';

const conditionsOf = (
  conditions: { type: string; status: string; reason?: string | undefined }[] | undefined,
): string =>
  (conditions ?? [])
    .map(({ type, status, reason }) => `${type}=${status}/${reason ?? ''}`)
    .sort()
    .join(' ');

const generated = /\b(web|pool)-[a-z0-9]{5}\b/g;

/** Texts without what differs between two runs: generated names, namespaces, versions, addresses. */
export const neutral = (text: string): string =>
  text
    .replace(generated, '$1-*')
    .replace(/\brec-[\w-]+\//g, 'ns/')
    .replace(/box-(\d)-[a-z0-9]{8}/g, 'box-$1-*')
    .replace(/"[0-9a-f]{7,10}"/g, '"hash"');

const known = new WeakMap<Seen, string | undefined>();

/** What an observer can tell apart in one object at one moment, without times and versions. Undefined: not compared. */
export function observable(event: Seen): string | undefined {
  if (!known.has(event)) known.set(event, describeState(event));
  return known.get(event);
}

function describeState({ kind, type, object }: Seen): string | undefined {
  if (type === 'DELETED') return 'gone';
  const deleting = object.metadata.deletionTimestamp === undefined ? '' : ' deleting';
  const finalizers = object.metadata.finalizers?.length ? ' finalizer' : '';
  switch (kind) {
    case 'sandboxes': {
      const { status, spec, metadata } = sandboxSchema.parse(object);
      const labels = metadata.labels ?? {};
      return [
        status?.phase ?? '-',
        conditionsOf(status?.conditions),
        status?.message ?? '',
        labels[label.claimed] === 'true' ? 'claimed' : '',
        spec.paused === true ? 'paused' : '',
        spec.upgradePolicy?.type ?? '',
        labels[label.updateOps] ?? '',
        labels[label.upgradeFailed] === 'true' ? 'failed-label' : '',
        `${finalizers}${deleting}`,
      ].join('|');
    }
    case 'sandboxsets': {
      const { status, spec } = sandboxSetSchema.parse(object);
      const { replicas, availableReplicas, updatedReplicas = '-', updatedAvailableReplicas = '-' } = status ?? {};
      const rest = spec.replicas === replicas && replicas === availableReplicas;
      if (!rest) return `busy ${replicas} ${availableReplicas}`;
      return replicas === 0 ? 'rest 0' : `rest ${replicas} ${updatedReplicas} ${updatedAvailableReplicas}`;
    }
    case 'sandboxupdateops': {
      const { status } = sandboxUpdateOpsSchema.parse(object);
      const { phase = '-', replicas, updatedReplicas, failedReplicas } = status ?? {};
      return `${phase} total=${replicas} updated=${updatedReplicas} failed=${failedReplicas}${finalizers}${deleting}`;
    }
    case 'sandboxclaims': {
      const { status } = sandboxClaimSchema.parse(object);
      const message = (status?.message ?? '').replace(/[\d.]+s,/, 'Ns,');
      return `${status?.phase ?? '-'} ${status?.claimedReplicas} ${message} ${conditionsOf(status?.conditions)}`;
    }
    case 'pods': {
      const { status, spec } = podSchema.parse(object);
      if (deleting !== '') return 'deleting';
      const conditions = (status?.conditions ?? []).map((one) => `${one.type}=${one.status}`).sort();
      const waiting = (status?.containerStatuses ?? []).flatMap(({ state }) => state?.waiting?.reason ?? []);
      const place = spec.nodeName === undefined ? '' : 'bound';
      return [status?.phase, place, ...conditions, ...waiting].join(' ');
    }
    case 'checkpoints':
      return checkpointSchema.parse(object).status?.phase ?? '-';
    case 'sandboxtemplates':
      return 'there';
    default:
      return undefined;
  }
}

/** Distinct states of every object in order, by `kind name`; generated names are `pool-*` and come as a list per kind. */
export function histories(events: Seen[]): Map<string, string[][]> {
  const byObject = new Map<string, { key: string; states: string[] }>();
  for (const event of events) {
    const state = observable(event);
    if (state === undefined) continue;
    const { name, uid } = event.object.metadata;
    const key = `${event.kind} ${neutralName(event.kind, name)}`;
    const entry = byObject.get(`${event.kind} ${uid}`) ?? { key, states: [] };
    if (entry.states.at(-1) !== state) entry.states.push(state);
    byObject.set(`${event.kind} ${uid}`, entry);
  }
  const result = new Map<string, string[][]>();
  for (const { key, states } of byObject.values()) result.set(key, [...(result.get(key) ?? []), settle(key, states)]);
  return result;
}

const neutralName = (kind: string, name: string): string =>
  kind === 'sandboxtemplates' ? name.replace(/-[a-z0-9]+$/, '-*') : neutral(name);

/**
 * Takes out what depends on which of two things happened a few milliseconds earlier: a pool is compared where it is at rest (all
 * of its members available), an operation at its start and its end.
 */
function settle(key: string, states: string[]): string[] {
  const distinct = (list: string[]) => list.filter((state, i) => state !== list[i - 1]);
  // How far a member had come when the pool gave it up.
  const member =
    key === 'pods web-*' || (key === 'sandboxes web-*' && !states.some((state) => state.includes('|claimed|')));
  if (member && /gone|deleting/.test(states.at(-1) ?? '')) return ['gone'];
  // A failing pull is tried again and again.
  if (key.startsWith('pods'))
    return states.filter((state, i) => !/ImagePull/.test(state) || states.indexOf(state) === i);
  if (key.startsWith('sandboxsets')) {
    const rests = states.filter((state) => state.startsWith('rest'));
    return distinct(rests.map((state, i) => (i === rests.length - 1 ? state : state.split(' ').slice(0, 2).join(' '))));
  }
  if (key.startsWith('sandboxupdateops'))
    return distinct(states.map((state) => state.replace(/^Updating [^f]*failed=\d+/, 'Updating')));
  return states;
}

/** The reasons and texts of events, by the object they are about; each once. */
export function eventTexts(events: Seen[], isNeutralOwner: (kind: string) => boolean): Map<string, Set<string>> {
  const result = new Map<string, Set<string>>();
  for (const { kind, object } of events) {
    if (kind !== 'events') continue;
    const about = object.involvedObject as { kind: string; name: string };
    const source = (object.source as { component?: string } | undefined)?.component;
    if (source === undefined || !isNeutralOwner(about.kind)) continue;
    const key = `${about.kind} ${neutral(about.name)}`;
    const message = neutral(String(object.message)).replace('(combined from similar events): ', '');
    const text = `${object.type} ${object.reason}: ${message.replace(/updated=\d+, updating=\d+/, 'updated=N, updating=N')}`;
    result.set(key, (result.get(key) ?? new Set()).add(text));
  }
  return result;
}

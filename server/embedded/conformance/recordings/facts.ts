import { stableJson } from '../../controllers/rules/hashes';
import { annotation, label } from '../../controllers/rules/keys';
import type { Neutral } from './neutral';
import type { Seen } from './recording';

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const text = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : stableJson(value);

const statusTexts: Record<string, string[]> = {
  sandboxes: ['phase', 'message', 'recycledCount', 'updateRevision'],
  sandboxsets: ['updateRevision', 'currentRevision', 'selector'],
  sandboxclaims: ['phase', 'message', 'claimStartTime', 'completionTime'],
  sandboxupdateops: ['phase'],
  pods: ['phase'],
  checkpoints: ['phase', 'checkpointId'],
};

// The API server copies them from the node onto its Pods; the recorded nodes had none.
const nodeLabels = 'topology.kubernetes.io/';

/** Hashes of a sandbox itself; those of its pool are in names and texts, too. */
const ownHashes = [
  'updateRevision',
  'podInfo podUID',
  `label ${label.podTemplateHash}`,
  `annotation ${annotation.immutableHash}`,
];

/**
 * What can be told apart in one object at one moment, by the name of the fact; '' and absent are the same. Without the webhooks
 * templates have no defaults: only what updates change can be compared.
 */
export function factsOf(
  { kind, type, object }: Seen,
  neutral: Pick<Neutral, 'text' | 'hash'>,
  webhooks: boolean,
): Map<string, string> {
  if (type === 'DELETED') return new Map([['gone', 'yes']]);
  const { metadata } = object;
  const { spec, status } = object as { spec?: unknown; status?: unknown };
  const facts = new Map<string, string>([['there', 'yes']]);
  const put = (name: string, value: unknown) => {
    const plain = text(value);
    if (plain === '') return;
    facts.set(name, hashes.has(name) ? neutral.hash(metadata.name, plain) : neutral.text(plain));
  };
  const hashes = new Set(kind === 'sandboxes' || kind === 'pods' ? ownHashes : []);
  put('deleting', metadata.deletionTimestamp === undefined ? '' : 'yes');
  put('finalizers', metadata.finalizers?.join(' '));
  put(
    'owners',
    metadata.ownerReferences
      ?.map((one) => `${one.kind} ${one.name} ${one.controller ?? false} ${one.blockOwnerDeletion ?? false}`)
      .join(', '),
  );
  for (const [key, value] of Object.entries(metadata.labels ?? {}))
    if (!key.startsWith(nodeLabels)) put(`label ${key}`, value || '""');
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) put(`annotation ${key}`, value || '""');
  for (const name of statusTexts[kind] ?? []) put(name, fields(status)[name]);
  // A pool's spec is the people's and the webhooks', and most of a Pod's the API server's defaults.
  if (kind !== 'pods' && kind !== 'sandboxsets')
    for (const [name, value] of Object.entries(fields(spec)))
      if (name === 'template') put(name, webhooks ? value : templateText(value));
      else put(`spec ${name}`, value);
  for (const one of list(fields(status).conditions))
    put(`condition ${text(one.type)}`, `${text(one.status)} ${text(one.reason)}: ${text(one.message)}`);
  if (kind === 'sandboxes') {
    const { podInfo, nodeName, sandboxIp } = fields(status);
    for (const [name, value] of Object.entries(fields(podInfo))) put(`podInfo ${name}`, value);
    put('nodeName', nodeName);
    put('sandboxIp', sandboxIp);
    put('observed', behind(metadata.generation, fields(status).observedGeneration));
  }
  if (kind === 'pods') {
    put('grace seconds', metadata.deletionGracePeriodSeconds);
    put('address', fields(status).podIP);
    put('bound', text(fields(spec).nodeName) === '' ? '' : 'yes');
    put('template', templateText({ spec }));
    for (const field of ['initContainerStatuses', 'containerStatuses'])
      for (const one of list(fields(status)[field])) put(`container ${text(one.name)}`, containerText(one));
  }
  return facts;
}

/** How far a status is behind the spec. */
function behind(generation: unknown, observed: unknown): string {
  if (typeof observed !== 'number') return '';
  return generation === observed ? 'newest' : `${Number(generation) - observed} behind`;
}

/** Images and environment: the rest of a Pod's spec is the API server's defaults. */
function templateText(template: unknown): string {
  const { metadata, spec } = fields(template);
  const containers = [...list(fields(spec).initContainers), ...list(fields(spec).containers)];
  const own = Object.keys(fields(fields(metadata).labels)).filter((key) => key !== label.podTemplateHash);
  return [...containers.map((one) => `${text(one.name)}=${text(one.image)} ${text(one.env)}`), ...own.sort()].join(' ');
}

function containerText(status: Fields): string {
  const [[name, detail] = ['', {}]] = Object.entries(fields(status.state));
  const { reason, message, exitCode } = fields(detail);
  return `${name} ${text(reason)} ${text(message)} ${text(exitCode)} image=${text(status.image)} ready=${text(status.ready)}`;
}

/** The facts that one write changed, sorted: what is written together has no order. */
export function changes(before: Map<string, string>, after: Map<string, string>): string[] {
  if (after.has('gone')) return ['gone'];
  const result: string[] = [];
  for (const [name, value] of after) if (before.get(name) !== value) result.push(`${name} = ${value}`);
  for (const name of before.keys()) if (!after.has(name)) result.push(`${name} removed`);
  return result.sort();
}

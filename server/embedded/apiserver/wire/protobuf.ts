import type { Fields } from '../core/objects';

/** A field of a message: its JSON name and what it holds. */
type Field = [
  name: string,
  type: 'text' | 'bytes' | 'number' | 'flag' | 'quantity' | Message,
  repeated?: 'list' | 'map',
];
type Message = Record<number, Field>;

const META: Message = {
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  5: ['uid', 'text'],
  6: ['resourceVersion', 'text'],
  11: ['labels', 'text', 'map'],
  12: ['annotations', 'text', 'map'],
  14: ['finalizers', 'text', 'list'],
};

const ASKED: Message = {
  1: [
    'resourceAttributes',
    {
      1: ['namespace', 'text'],
      2: ['verb', 'text'],
      3: ['group', 'text'],
      4: ['version', 'text'],
      5: ['resource', 'text'],
      6: ['subresource', 'text'],
      7: ['name', 'text'],
    },
  ],
  2: ['nonResourceAttributes', { 1: ['path', 'text'], 2: ['verb', 'text'] }],
};

const RULES: Field = [
  'rules',
  {
    1: ['verbs', 'text', 'list'],
    2: ['apiGroups', 'text', 'list'],
    3: ['resources', 'text', 'list'],
    4: ['resourceNames', 'text', 'list'],
    5: ['nonResourceURLs', 'text', 'list'],
  },
  'list',
];

const BINDING: Message = {
  1: ['metadata', META],
  2: [
    'subjects',
    { 1: ['kind', 'text'], 2: ['apiGroup', 'text'], 3: ['name', 'text'], 4: ['namespace', 'text'] },
    'list',
  ],
  3: ['roleRef', { 1: ['apiGroup', 'text'], 2: ['kind', 'text'], 3: ['name', 'text'] }],
};

/** The messages that kubectl writes as protobuf: what `create` and `auth` send for core kinds (field numbers of k8s.io/api). */
const MESSAGES: Record<string, Message> = {
  Namespace: { 1: ['metadata', META] },
  ServiceAccount: { 1: ['metadata', META] },
  ConfigMap: {
    1: ['metadata', META],
    2: ['data', 'text', 'map'],
    3: ['binaryData', 'bytes', 'map'],
    4: ['immutable', 'flag'],
  },
  Secret: {
    1: ['metadata', META],
    2: ['data', 'bytes', 'map'],
    3: ['type', 'text'],
    4: ['stringData', 'text', 'map'],
    5: ['immutable', 'flag'],
  },
  SelfSubjectReview: {},
  SelfSubjectRulesReview: { 2: ['spec', { 1: ['namespace', 'text'] }] },
  SelfSubjectAccessReview: { 2: ['spec', ASKED] },
  SubjectAccessReview: { 2: ['spec', { ...ASKED, 3: ['user', 'text'], 4: ['groups', 'text', 'list'] }] },
  TokenRequest: { 2: ['spec', { 1: ['audiences', 'text', 'list'], 4: ['expirationSeconds', 'number'] }] },
  Role: { 1: ['metadata', META], 2: RULES },
  ClusterRole: {
    1: ['metadata', META],
    2: RULES,
    3: ['aggregationRule', { 1: ['clusterRoleSelectors', { 1: ['matchLabels', 'text', 'map'] }, 'list'] }],
  },
  RoleBinding: BINDING,
  ClusterRoleBinding: BINDING,
  ResourceQuota: { 1: ['metadata', META], 2: ['spec', { 1: ['hard', 'quantity', 'map'] }] },
  DeleteOptions: {
    1: ['gracePeriodSeconds', 'number'],
    2: ['preconditions', { 1: ['uid', 'text'], 2: ['resourceVersion', 'text'] }],
    4: ['propagationPolicy', 'text'],
    5: ['dryRun', 'text', 'list'],
  },
};

const UNKNOWN: Message = { 1: ['typeMeta', { 1: ['apiVersion', 'text'], 2: ['kind', 'text'] }], 2: ['raw', 'bytes'] };
const MAGIC = 'k8s\0';

/** The object in a `application/vnd.kubernetes.protobuf` body, or undefined when it is of a kind not known here. */
export function decodeProtobuf(body: Buffer): Fields | undefined {
  if (body.subarray(0, 4).toString('latin1') !== MAGIC) return undefined;
  const { typeMeta, raw } = readMessage(body.subarray(4), UNKNOWN) as {
    typeMeta?: { apiVersion?: string; kind?: string };
    raw?: string;
  };
  const message = MESSAGES[typeMeta?.kind ?? ''];
  if (message === undefined) return undefined;
  return { ...typeMeta, ...readMessage(Buffer.from(raw ?? '', 'base64'), message) };
}

function readMessage(bytes: Buffer, message: Message): Fields {
  const result: Fields = {};
  let position = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; position < bytes.length; shift += 7) {
      const byte = bytes[position] ?? 0;
      position += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (position < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    const field = message[tag >>> 3];
    if (wire === 0) {
      const value = varint();
      if (field !== undefined) result[field[0]] = field[1] === 'flag' ? value !== 0 : value;
      continue;
    }
    const length = wire === 2 ? varint() : wire === 1 ? 8 : 4;
    const chunk = bytes.subarray(position, position + length);
    position += length;
    if (field !== undefined && wire === 2) store(result, field, chunk);
  }
  return result;
}

function store(result: Fields, [name, type, repeated]: Field, chunk: Buffer): void {
  if (repeated === 'map') {
    const entry = readMessage(chunk, { 1: ['key', 'text'], 2: ['value', type] });
    result[name] = { ...(result[name] as Fields | undefined), [String(entry.key)]: entry.value ?? '' };
    return;
  }
  const value = fieldValue(type, chunk);
  // An empty text is how protobuf writes an absent one; in a list it is one of its own (the core API group).
  if (value === '' && repeated === undefined) return;
  result[name] = repeated === 'list' ? [...((result[name] as unknown[] | undefined) ?? []), value] : value;
}

function fieldValue(type: Field[1], chunk: Buffer): unknown {
  if (typeof type === 'object') return readMessage(chunk, type);
  if (type === 'quantity') return readMessage(chunk, { 1: ['string', 'text'] }).string;
  return chunk.toString(type === 'bytes' ? 'base64' : 'utf8');
}

import fc from 'fast-check';
import { stringify as toYaml } from 'yaml';
import { SENSIBLE } from './sensible';

type Fields = Record<string, unknown>;

/** Keys and texts that mean something to JavaScript, to Kubernetes or to a parser. */
const LOADED = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'toJSON', 'then', 'length'],
  ...[
    'metadata',
    'name',
    'namespace',
    'labels',
    'annotations',
    'finalizers',
    'ownerReferences',
    'managedFields',
    'uid',
  ],
  ...['generateName', 'resourceVersion', 'deletionTimestamp', '$patch', '$setElementOrder/containers', '$retainKeys'],
  ...[
    '',
    '/',
    '~1',
    '-1',
    '\u0000',
    '\ud800',
    '💥',
    'ａ'.repeat(300),
    '9'.repeat(400),
    '2030-13-45T99:99:99Z',
    '150%',
    '1e999',
  ],
];

const loaded = fc.constantFrom(...LOADED);
const anyText = fc.oneof(loaded, fc.string(), fc.string({ unit: 'binary' }));
const anyValue = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary' }),
  loaded,
  fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, null, true, [], {}, [null], [[]], { metadata: null }),
  fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 4 }),
);

interface Edit {
  place: number;
  how: 'set' | 'delete' | 'add' | 'repeat';
  key: string;
  value: unknown;
}

const anyEdit: fc.Arbitrary<Edit> = fc.record({
  place: fc.nat(),
  how: fc.constantFrom('set', 'delete', 'add', 'repeat'),
  key: anyText,
  value: anyValue,
});

/** Every container below a value, in order. */
function containers(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Fields, ...Object.values(value).flatMap(containers)];
}

function edited(value: Fields, edits: readonly Edit[]): Fields {
  const result = structuredClone(value);
  for (const { place, how, key, value: given } of edits) {
    const all = containers(result);
    const target = all[place % all.length] ?? result;
    const keys = Object.keys(target);
    const chosen = keys[place % Math.max(1, keys.length)] ?? key;
    const there = Object.hasOwn(target, chosen) ? target[chosen] : null;
    const put = (at: string, what: unknown) =>
      Object.defineProperty(target, at, { value: what, enumerable: true, configurable: true, writable: true });
    if (how === 'delete') {
      if (keys.length > 0) delete target[chosen];
    } else if (Array.isArray(target))
      target.push(how === 'repeat' ? structuredClone(target[0]) : structuredClone(given));
    else put(how === 'add' ? key : chosen, how === 'repeat' ? [there, structuredClone(there)] : structuredClone(given));
  }
  return result;
}

/** What is sensible for a path: a body of its kind, or one for its subresource. */
function sensibleFor(path: string): readonly Fields[] {
  const [, plural = '', subresource = ''] =
    /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/([^/?]+)(?:\/[^/?]+\/([^/?]+))?/.exec(path) ?? [];
  const singular = plural.replace(/e?s$/, '').toLowerCase();
  const fitting = SENSIBLE.filter(({ kind }) => {
    const name = String(kind).toLowerCase();
    return name === subresource || name.replace(/e?s$/, '') === singular;
  });
  return fitting.length === 0 ? SENSIBLE : fitting;
}

const spoiledFor = (path: string) =>
  fc
    .tuple(
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...sensibleFor(path)) }, fc.constantFrom(...SENSIBLE)),
      fc.oneof(fc.constant([]), fc.array(anyEdit, { maxLength: 3 })),
    )
    .map(([value, edits]) => edited(value, edits));

const pointer = fc.oneof(
  fc.constantFrom(
    '/spec',
    '/spec/replicas',
    '/metadata/labels/app',
    '/metadata/finalizers/-',
    '/metadata/__proto__/x',
    '/spec/template',
    '',
  ),
  fc.array(anyText, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
);
const jsonPatch = fc.array(
  fc.record(
    {
      op: fc.oneof(fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), anyText),
      path: pointer,
      from: pointer,
      value: anyValue,
    },
    {
      requiredKeys: ['op'],
    },
  ),
  { maxLength: 5 },
);

const anyJson = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SENSIBLE) },
  { weight: 2, arbitrary: jsonPatch },
  { weight: 1, arbitrary: anyValue },
);

const broken = fc
  .tuple(anyJson, fc.nat(), fc.string({ unit: 'binary', maxLength: 4 }), fc.boolean())
  .map(([value, place, junk, cut]) => {
    const text = JSON.stringify(value);
    const at = place % (text.length + 1);
    return cut ? text.slice(0, at) : text.slice(0, at) + junk + text.slice(at);
  });

const deep = fc
  .tuple(fc.constantFrom(100, 1_000, 9_990, 10_001, 100_000), fc.constantFrom('[', '{"a":', '{"spec":'), fc.boolean())
  .map(([depth, open, closed]) => {
    const close = open === '[' ? ']' : '}';
    const nested = `${open.repeat(depth)}1${closed ? close.repeat(depth) : ''}`;
    return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"fuzz-a"},"spec":${nested},"data":${nested}}`;
  });

const big = fc.constantFrom(100_000, 1_100_000, 2_900_000, 3_200_000).map((size) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'fuzz-a' },
    data: { x: 'x'.repeat(size) },
  }),
);

const bombs = fc.constantFrom(
  'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c]',
  'a: &a\n  b: *a',
  '? {x: y}\n: z',
  '!!binary AAAA',
  'a: !!js/function x',
  '--- 1\n--- 2',
  '.nan',
  'metadata: {name: .inf, 1: 2, ~: 3}',
  '\t- x',
  `${'- '.repeat(5_000)}x`,
);
const yaml = fc.oneof(
  anyJson.map((value) => toYaml(value)),
  broken,
  bombs,
);

const protobuf = fc
  .tuple(
    fc.constantFrom('', 'ConfigMap', 'Secret', 'Role', 'DeleteOptions'),
    fc.uint8Array({ maxLength: 200 }),
    fc.boolean(),
  )
  .map(([kind, bytes, typed]) => {
    const type = Buffer.concat([
      Buffer.from([0x0a, 2]),
      Buffer.from('v1'),
      Buffer.from([0x12, kind.length]),
      Buffer.from(kind),
    ]);
    const head = typed
      ? Buffer.concat([Buffer.from([0x0a, type.length]), type, Buffer.from([0x12, bytes.length & 127])])
      : [];
    return Buffer.concat([Buffer.from('k8s\0'), Buffer.from(head), bytes]);
  });

const jsonBytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const textBytes = (text: string) => Buffer.from(text);

const anyBody: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 60, arbitrary: anyJson.map(jsonBytes) },
  { weight: 60, arbitrary: broken.map(textBytes) },
  { weight: 40, arbitrary: yaml.map(textBytes) },
  { weight: 30, arbitrary: protobuf },
  { weight: 20, arbitrary: fc.constant(Buffer.alloc(0)) },
  { weight: 20, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 6, arbitrary: deep.map(textBytes) },
  { weight: 1, arbitrary: big.map(textBytes) },
);

/** A body for a path: of its kind, spoiled a little, more often than not. */
export const bodyFor = (path: string): fc.Arbitrary<Buffer> =>
  fc.oneof({ weight: 3, arbitrary: spoiledFor(path).map(jsonBytes) }, anyBody);

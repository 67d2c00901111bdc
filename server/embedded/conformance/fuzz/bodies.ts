import fc from 'fast-check';
import { stringify as toYaml } from 'yaml';
import { SENSIBLE } from './sensible';
import { spoiledFor } from './spoiled';
import { anyText, anyValue } from './values';

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

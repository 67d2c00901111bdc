import { configMap, pod, req, type Scripts, widget } from '../script';

const json = (...operations: object[]) => req('PATCH widgets/a', operations, { type: 'json' });
const strategic = (body: object) => req('PATCH pods/a', body, { type: 'strategic' });

const PORTS = {
  ports: [
    { name: 'a', port: 1 },
    { name: 'b', port: 2 },
  ],
};

export const patching: Scripts = {
  'merge patch': [
    req(
      'POST widgets',
      widget('a', { ...PORTS, note: 'n', texts: { x: '1', y: '2' } }, { labels: { a: 'b', c: 'd' } }),
    ),
    req('PATCH widgets/a', { spec: { texts: { x: null, z: '3' } } }),
    req('PATCH widgets/a', { spec: { ports: [{ name: 'b', port: 9 }] } }),
    req('PATCH widgets/a', { metadata: { labels: { a: null } } }),
    req('PATCH widgets/a', { metadata: { labels: null } }),
    req('PATCH widgets/a', { spec: { note: null } }),
    req('PATCH widgets/a', { metadata: { resourceVersion: '{a.rv}' }, spec: { size: 2 } }),
    req('PATCH widgets/a', { metadata: { resourceVersion: '1' }, spec: { size: 3 } }),
    req('PATCH widgets/a', { metadata: { uid: 'other' }, spec: { size: 3 } }),
    req('PATCH widgets/a', { metadata: { name: 'b' } }),
    req('PATCH widgets/a', { metadata: { namespace: 'elsewhere' } }),
    req('PATCH widgets/a', { kind: 'Gadget' }),
    req('PATCH widgets/a', { apiVersion: 'v1' }),
    req('PATCH widgets/a', '{"spec":'),
    req('PATCH widgets/a', '[]'),
    req('PATCH widgets/a', '"text"'),
    req('PATCH widgets/missing', { spec: {} }),
    req('PATCH widgets', { spec: {} }),
    req('PATCH widgets/a', { spec: {} }, { type: 'application/json' }),
    req('PATCH widgets/a', { spec: {} }, { type: 'strategic' }),
  ],
  'JSON patch': [
    req('POST widgets', widget('a', { ...PORTS, texts: { 'a/b': '1', 'c~d': '2' } })),
    json({ op: 'test', path: '/spec/size', value: 1 }, { op: 'replace', path: '/spec/size', value: 2 }),
    json({ op: 'add', path: '/spec/ports/-', value: { name: 'c' } }),
    json({ op: 'add', path: '/spec/ports/0', value: { name: 'z' } }),
    json({ op: 'remove', path: '/spec/ports/1' }),
    json({ op: 'replace', path: '/spec/texts/a~1b', value: 'one' }, { op: 'remove', path: '/spec/texts/c~0d' }),
    json(
      { op: 'copy', from: '/spec/texts/a~1b', path: '/spec/note' },
      { op: 'move', from: '/spec/note', path: '/spec/code' },
    ),
    json({ op: 'test', path: '/spec/size', value: 99 }),
    json({ op: 'remove', path: '/spec/nothing' }),
    json({ op: 'replace', path: '/spec/nothing', value: 1 }),
    json({ op: 'add', path: '/spec/nothing/deeper', value: 1 }),
    json({ op: 'add', path: '/spec/ports/9', value: { name: 'q' } }),
    json({ op: 'frobnicate', path: '/spec/size' }),
    json({ op: 'add', path: '/metadata/labels', value: { a: 'b' } }),
    json({ op: 'test', path: '/metadata/resourceVersion', value: '1' }),
    json({ op: 'replace', path: '/metadata/resourceVersion', value: '1' }),
    json({ op: 'replace', path: '/spec/size', value: 'x' }),
    json({ op: 'replace', path: '', value: {} }),
    json(),
    req('PATCH widgets/a', { op: 'add' }, { type: 'json' }),
    req('PATCH widgets/a', 'not json', { type: 'json' }),
    req('GET widgets/a'),
  ],
  'strategic merge patch': [
    req(
      'POST pods',
      pod('a', {
        containers: [
          { name: 'one', image: 'r/one:1', env: [{ name: 'A', value: '1' }] },
          { name: 'two', image: 'r/two:1' },
        ],
      }),
    ),
    strategic({ spec: { containers: [{ name: 'two', image: 'r/two:2' }] } }),
    strategic({ metadata: { labels: { a: 'b' }, finalizers: ['agents.example/x'] } }),
    strategic({ metadata: { finalizers: ['agents.example/y'] } }),
    strategic({
      metadata: { '$deleteFromPrimitiveList/finalizers': ['agents.example/x'] },
    }),
    strategic({ spec: { tolerations: [{ key: 'k', operator: 'Exists' }] } }),
    strategic({ spec: { containers: [{ image: 'r/nameless:1' }] } }),
    strategic({ metadata: { annotations: { $patch: 'replace', only: 'this' } } }),
    req('PATCH pods/a/status', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, { type: 'strategic' }),
    req(
      'PATCH pods/a/status',
      { status: { conditions: [{ type: 'Custom', status: 'False' }] } },
      { type: 'strategic' },
    ),
    req(
      'PATCH pods/a/status',
      { status: { conditions: [{ type: 'Ready', $patch: 'delete' }] } },
      { type: 'strategic' },
    ),
    req('PATCH pods/a', { spec: { restartPolicy: 'Never' } }, { type: 'strategic', codeOnly: true }),
    strategic({ metadata: { finalizers: null } }),
    req('PATCH pods/a', '[]', { type: 'strategic' }),
    req('PATCH pods/missing', {}, { type: 'strategic' }),
  ],
  'patches of core kinds': [
    req('POST configmaps', configMap('a', { x: '1', y: '2' })),
    req('PATCH configmaps/a', { data: { x: null, z: '3' } }),
    req('PATCH configmaps/a', [{ op: 'add', path: '/data/w', value: '4' }], { type: 'json' }),
    req('PATCH configmaps/a', { data: { y: '9' } }, { type: 'strategic' }),
    req('PATCH configmaps/a', { data: { y: 9 } }),
    req('PATCH configmaps/a', { data: null }),
    req('PATCH configmaps/a', { immutable: true, data: { a: 'b' } }),
    req('PATCH configmaps/a', { data: { a: 'c' } }),
  ],
};

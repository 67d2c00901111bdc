import { configMap, req, type Scripts, WIDGET_GROUP } from '../script';

const shape = (spec: object, metadata: object = {}) => ({
  apiVersion: `${WIDGET_GROUP}/v1`,
  kind: 'Widget',
  metadata: { name: 'a', ...metadata },
  spec,
});

const apply = (manager: string, spec: object, options = '', metadata: object = {}) =>
  req(`PATCH widgets/a?fieldManager=${manager}${options}`, shape(spec, metadata), {
    type: 'apply',
    managedFields: true,
  });

const read = req('GET widgets/a', undefined, { managedFields: true });

export const applying: Scripts = {
  'apply creates, changes and takes away': [
    apply('one', { size: 1, note: 'x', inner: { name: 'n' } }, '', { labels: { a: 'b', c: 'd' } }),
    apply('one', { size: 1, note: 'x', inner: { name: 'n' } }, '', { labels: { a: 'b', c: 'd' } }),
    apply('one', { size: 2, note: 'x' }, '', { labels: { a: 'b' } }),
    apply('one', { size: 2 }),
    read,
  ],
  'apply by two managers': [
    apply('one', { size: 1, color: 'red' }),
    apply('two', { color: 'red', note: 'two', size: 1 }),
    apply('two', { color: 'blue', note: 'two', size: 1 }),
    apply('two', { color: 'blue', note: 'two', size: 2 }),
    apply('two', { color: 'blue', note: 'two', size: 2 }, '&force=true'),
    apply('one', { size: 2 }),
    apply('two', { size: 2 }),
    read,
  ],
  'lists with keys, sets and atomic lists': [
    apply('one', {
      size: 1,
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
      tags: ['x', 'y'],
      plain: ['p'],
    }),
    apply('two', {
      size: 1,
      ports: [
        { name: 'c', port: 3 },
        { name: 'a', tag: 't' },
      ],
      tags: ['z', 'x'],
    }),
    apply('two', { size: 1, ports: [{ name: 'a', port: 9 }] }),
    apply('two', { size: 1, plain: ['p', 'q'] }),
    apply('two', { size: 1, plain: ['p', 'q'] }, '&force=true'),
    apply('one', { size: 1, ports: [{ name: 'b', port: 2 }], tags: ['y'] }),
    apply('one', { size: 1, box: { a: '1' } }),
    apply('two', { size: 1, box: { b: '2' } }),
    apply('one', { size: 1, ports: [{ name: 'a' }, { name: 'a' }] }),
    apply('one', { size: 1, ports: [{ port: 4 }] }),
  ],
  'managers of other writes': [
    req('POST widgets?fieldManager=maker', shape({ size: 1, ports: [{ name: 'a', port: 1 }] }), {
      managedFields: true,
    }),
    req(
      'PATCH widgets/a?fieldManager=patcher',
      { spec: { note: 'x' }, metadata: { labels: { a: 'b' } } },
      { managedFields: true },
    ),
    req('PATCH widgets/a/status?fieldManager=controller', { status: { phase: 'Up' } }, { managedFields: true }),
    req('PATCH widgets/a/scale?fieldManager=scaler', { spec: { replicas: 3 } }, { managedFields: true }),
    read,
    apply('one', { size: 1, replicas: 5, note: 'y' }),
    apply('one', { size: 5, replicas: 5, note: 'y' }, '&force=true'),
    req('PATCH widgets/a?fieldManager=patcher', { spec: { note: null } }, { managedFields: true }),
    req('PATCH widgets/a', [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }], {
      type: 'json',
      managedFields: true,
    }),
    read,
  ],
  'manager named by the user agent': [
    req('POST widgets', shape({ size: 1 }), { managedFields: true }),
    req('PATCH widgets/a', { spec: { size: 2 } }, { managedFields: true }),
    req('PUT widgets/a', shape({ size: 3, color: 'green' }, { resourceVersion: '{a.rv}' }), { managedFields: true }),
  ],
  'what apply refuses': [
    req('PATCH widgets/a', shape({ size: 1 }), { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one', shape({ size: 1 }, { name: 'b' }), { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one', { ...shape({ size: 1 }), kind: 'Gadget' }, { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one', { ...shape({ size: 1 }), apiVersion: 'v1' }, { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one', { spec: { size: 1 } }, { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one', shape({ sise: 1, size: 1 }), { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one&fieldValidation=Strict', shape({ sise: 1, size: 1 }), { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one', shape({ size: 'x' }), { type: 'apply' }),
    req(
      'PATCH widgets/a?fieldManager=one',
      shape({ size: 1 }, { managedFields: [{ manager: 'x', operation: 'Apply' }] }),
      { type: 'apply' },
    ),
    req('PATCH widgets/a?fieldManager=one', shape({ size: 1 }, { resourceVersion: '1' }), { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one', '{"apiVersion":', { type: 'apply' }),
    req('PATCH widgets/a?fieldManager=one&force=true', { spec: {} }),
    req('PATCH widgets/a?fieldManager=one', `apiVersion: ${WIDGET_GROUP}/v1\nkind: Widget\nspec:\n  size: 3\n`, {
      type: 'apply',
    }),
    req(`PATCH widgets/a?fieldManager=${'m'.repeat(130)}`, shape({ size: 1 }), { type: 'apply' }),
    req('PATCH widgets?fieldManager=one', shape({ size: 1 }), { type: 'apply' }),
  ],
  'apply to a core kind, the status, and a dry run': [
    req('PATCH configmaps/c?fieldManager=one', configMap('c', { a: '1', b: '2' }), {
      type: 'apply',
      managedFields: true,
    }),
    req('PATCH configmaps/c?fieldManager=two', configMap('c', { a: '3' }), { type: 'apply', managedFields: true }),
    req('PATCH configmaps/c?fieldManager=one', configMap('c', { b: '2' }), { type: 'apply', managedFields: true }),
    apply('one', { size: 1 }, '&dryRun=All'),
    read,
    apply('one', { size: 1 }),
    req(
      'PATCH widgets/a/status?fieldManager=one',
      { ...shape({}), status: { phase: 'Up' } },
      { type: 'apply', managedFields: true },
    ),
    apply('one', { size: 1 }, '', { labels: { b: 'c' } }),
    apply('one', { size: 2 }, '&dryRun=All'),
    read,
  ],
};

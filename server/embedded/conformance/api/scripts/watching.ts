import { configMap, events, req, type Scripts, WIDGET_GROUP, widget } from '../script';

const watch = (query: string) => req(`GET widgets?watch=1&timeoutSeconds=1${query}`);
const open = (name: string, query: string) => req(`GET widgets?watch=1&${query}`, undefined, { open: name });
const start = req('GET widgets', undefined, { keep: 'start', codeOnly: true });
const make = (name: string, labels: object = {}) =>
  req('POST widgets', widget(name, {}, { labels }), { codeOnly: true });
const label = (name: string, value: string | null) =>
  req(`PATCH widgets/${name}`, { metadata: { labels: { pick: value } } }, { codeOnly: true });

export const watching: Scripts = {
  'what exists comes first': [
    make('a'),
    make('b'),
    watch(''),
    watch('&resourceVersion=0'),
    watch('&allowWatchBookmarks=true'),
    watch('&resourceVersion=0&allowWatchBookmarks=true'),
    watch('&labelSelector=none%3Dsuch'),
    watch('&fieldSelector=metadata.name%3Da'),
    req('GET widgets/a?watch=1&timeoutSeconds=1'),
    req(`GET /apis/${WIDGET_GROUP}/v1/watch/namespaces/{ns}/widgets?timeoutSeconds=1`),
  ],
  'every write makes one event': [
    start,
    open('w', 'resourceVersion={start.rv}'),
    make('a'),
    req('PATCH widgets/a', { spec: { size: 2 } }, { codeOnly: true }),
    req('PATCH widgets/a', { spec: { size: 2 } }, { codeOnly: true }),
    req('PATCH widgets/a/status', { status: { phase: 'Up' } }, { codeOnly: true }),
    req('DELETE widgets/a', undefined, { codeOnly: true }),
    events('w', 4),
    watch('&resourceVersion={start.rv}'),
  ],
  'an object that enters and leaves a selection': [
    start,
    make('a'),
    open('w', 'resourceVersion={start.rv}&labelSelector=pick%3Dyes'),
    label('a', 'yes'),
    req('PATCH widgets/a', { spec: { size: 3 } }, { codeOnly: true }),
    label('a', 'no'),
    label('a', 'yes'),
    label('a', null),
    req('DELETE widgets/a', undefined, { codeOnly: true }),
    events('w', 5),
  ],
  'a held object': [
    start,
    open('w', 'resourceVersion={start.rv}'),
    req('POST widgets', widget('a', {}, { finalizers: ['agents.example/hold'] }), { codeOnly: true }),
    req('DELETE widgets/a', undefined, { codeOnly: true }),
    req('PATCH widgets/a', { metadata: { finalizers: null } }, { codeOnly: true }),
    events('w', 3),
  ],
  'initial events on request': [
    make('a'),
    start,
    watch('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'),
    watch('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=0'),
    watch(
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion={start.rv}',
    ),
    watch('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'),
    watch('&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'),
    watch('&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={start.rv}'),
    watch('&sendInitialEvents=true'),
    watch('&sendInitialEvents=true&resourceVersionMatch=Exact'),
    watch('&sendInitialEvents=maybe'),
    watch('&resourceVersionMatch=NotOlderThan'),
    watch('&resourceVersionMatch=NotOlderThan&resourceVersion=0'),
  ],
  'versions and options': [
    make('a'),
    watch('&resourceVersion=abc'),
    watch('&resourceVersion=1'),
    watch('&resourceVersion=-5'),
    watch('&resourceVersion=99999999999'),
    watch('&fieldSelector=status.phase%3DUp'),
    watch('&labelSelector=a%20b'),
    watch('&limit=1'),
    watch('&continue=abc'),
    req('GET widgets?watch=true&timeoutSeconds=1'),
    req('GET widgets?watch=yes&timeoutSeconds=1'),
    req('GET widgets?watch=0&timeoutSeconds=1'),
    req('GET widgets?watch=1&timeoutSeconds=soon'),
    req('GET widgets?watch=1&timeoutSeconds=1&allowWatchBookmarks=maybe'),
    req('GET gizmos-are-nowhere'.replace('gizmos-are-nowhere', `/apis/${WIDGET_GROUP}/v1/gizmos?watch=1`)),
  ],
  'other shapes': [
    make('a'),
    req('GET widgets?watch=1&timeoutSeconds=1', undefined, { accept: 'table' }),
    req('GET widgets?watch=1&timeoutSeconds=1', undefined, { accept: 'metadata' }),
    req('GET widgets?watch=1&timeoutSeconds=1&includeObject=Object', undefined, { accept: 'table' }),
    req('GET widgets?watch=1&timeoutSeconds=1&includeObject=None', undefined, { accept: 'table' }),
    req('GET widgets?watch=1&timeoutSeconds=1', undefined, { accept: 'application/xml' }),
    req('POST configmaps', configMap('c', { a: 'b' }), { codeOnly: true }),
    req('GET configmaps?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dc'),
    req('GET configmaps?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dc', undefined, { accept: 'table' }),
  ],
};

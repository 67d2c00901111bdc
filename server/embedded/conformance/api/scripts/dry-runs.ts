import { configMap, pod, req, type Scripts, widget } from '../script';

export const dryRuns: Scripts = {
  'nothing is kept': [
    req('POST widgets', widget('a', {}, { finalizers: ['agents.example/hold'] })),
    req('GET widgets', undefined, { keep: 'before' }),
    req('POST widgets?dryRun=All', widget('b')),
    req('PUT widgets/a?dryRun=All', widget('a', { size: 5 }, { resourceVersion: '{a.rv}' })),
    req('PATCH widgets/a?dryRun=All', { spec: { size: 6 } }),
    req('PATCH widgets/a?dryRun=All', [{ op: 'replace', path: '/spec/size', value: 7 }], { type: 'json' }),
    req('PATCH widgets/a/status?dryRun=All', { status: { phase: 'Up' } }),
    req('PATCH widgets/a/scale?dryRun=All', { spec: { replicas: 4 } }),
    req('DELETE widgets/a?dryRun=All'),
    req('DELETE widgets/a', { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] }),
    req('DELETE widgets?dryRun=All'),
    req('GET widgets?watch=1&timeoutSeconds=1&resourceVersion={before.rv}'),
    req('GET widgets/a'),
    req('PATCH widgets/a', { metadata: { finalizers: null } }),
  ],
  'core kinds': [
    req('POST configmaps?dryRun=All', configMap('a', { a: 'b' })),
    req('GET configmaps/a'),
    req('POST pods?dryRun=All', pod('a')),
    req('POST namespaces?dryRun=All', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-dry' } }),
    req('GET namespaces/{ns}-dry'),
  ],
  'values that are refused': [
    req('POST widgets?dryRun=yes', widget('a')),
    req('PATCH widgets/a?dryRun=true', {}),
    req('PUT widgets/a?dryRun=All&dryRun=Some', widget('a')),
    req('DELETE widgets/a?dryRun=0'),
  ],
};

import fc from 'fast-check';

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
/** A text that may mean something to whoever reads it. */
export const anyText = fc.oneof(loaded, fc.string(), fc.string({ unit: 'binary' }));
export const anyValue = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary' }),
  loaded,
  fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, null, true, [], {}, [null], [[]], { metadata: null }),
  fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 4 }),
);

import fc from 'fast-check';

const NAMES = [
  'fuzz-a',
  'fuzz-b',
  'fuzz-ns',
  'fuzzes.fuzz.example',
  'none',
  'constructor',
  '__proto__',
  'A_B',
  '..',
  'x'.repeat(260),
];
const SUBRESOURCES = [
  'status',
  'scale',
  'finalize',
  'resize',
  'binding',
  'eviction',
  'token',
  'log',
  'exec',
  'attach',
  'portforward',
  'a/b',
  '__proto__',
];
const DOCUMENTS = [
  ...[
    '/',
    '/api',
    '/apis',
    '/api/v1',
    '/apis/agents.kruise.io',
    '/apis/agents.kruise.io/v1alpha1',
    '/apis/none/v1',
    '/version',
  ],
  ...['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1', '/openapi/v3/apis/agents.kruise.io/v1alpha1', '/metrics'],
  ...[
    '/healthz',
    '/livez/ping',
    '/readyz?verbose',
    '/readyz?exclude=etcd',
    '/__proto__',
    '/apis/__proto__/v1/constructor',
  ],
];

const escaped = fc.string({ unit: 'binary', maxLength: 12 }).map((value) => encodeURIComponent(value));
const part = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('fuzz-a', 'fuzz-a', 'fuzz-b', ...NAMES) },
  escaped,
  fc.constantFrom('%2F', '%00', '%zz', '%C0%AF', '%', '.', '%2e%2e'),
);

/** Paths below the collections of a cluster (`/api/v1/pods` and so on), and some that are none. */
export const anyPath = (collections: readonly string[], named: number) => {
  const collection = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...collections) },
    { weight: 1, arbitrary: fc.constant('/apis/fuzz.example/v1/namespaces/fuzz/fuzzes') },
    {
      weight: 1,
      arbitrary: fc.tuple(part, part, part).map(([group, version, plural]) => `/apis/${group}/${version}/${plural}`),
    },
  );
  const resource = fc
    .tuple(
      collection,
      fc.option(part, { freq: named, nil: undefined }),
      fc.option(fc.oneof(fc.constantFrom(...SUBRESOURCES), part), { freq: 2, nil: undefined }),
    )
    .map(([base, name, subresource]) =>
      [base, ...(name === undefined ? [] : [name, ...(subresource === undefined ? [] : [subresource])])].join('/'),
    );
  return fc.oneof(
    { weight: 140, arbitrary: resource },
    { weight: 20, arbitrary: fc.constantFrom(...DOCUMENTS) },
    { weight: 10, arbitrary: fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`) },
    { weight: 1, arbitrary: fc.constantFrom(`/${'a/'.repeat(3_000)}`, `/api/v1/${'x'.repeat(10_000)}`) },
  );
};

/** What stands in the request line of a raw request in place of a path. */
export const anyTarget = (path: fc.Arbitrary<string>) =>
  fc.oneof(
    path,
    fc.constantFrom(
      '*',
      '//',
      '///api',
      '//evil/api',
      'http://evil/api',
      'http://evil:99999/api',
      '/api?%',
      '/%',
      '?',
      '@x/api',
      ':99999/api',
      '\\api',
      '/api/v1\\pods',
      '/api#x',
      '/a\u0080b',
    ),
  );

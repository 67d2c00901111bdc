import fc from 'fast-check';
import { bodyFor } from './bodies';
import { CONTENT_TYPES, headers, PATCH_TYPES } from './headers';

/** A request as it goes over the wire. */
export interface FuzzRequest {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** `whole` through a client of HTTP; `raw` as bytes, right or wrong; `torn` ends in the middle of the body. */
  sent: 'whole' | 'raw' | 'torn';
}

/** Where the fuzz may do as it likes. */
export const NAMESPACE = 'fuzz';

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

const text = fc.string({ unit: 'binary', maxLength: 12 });
const escaped = text.map((value) => encodeURIComponent(value));
const part = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('fuzz-a', 'fuzz-a', 'fuzz-b', ...NAMES) },
  escaped,
  fc.constantFrom('%2F', '%00', '%zz', '%C0%AF', '%', '.', '%2e%2e'),
);

const QUERY: Record<string, fc.Arbitrary<string>> = {
  dryRun: fc.constantFrom('All', 'Some', ''),
  fieldValidation: fc.constantFrom('Strict', 'Warn', 'Ignore', 'Never'),
  fieldManager: fc.oneof(fc.constantFrom('fuzz', ''), text, fc.constant('x'.repeat(200))),
  force: fc.constantFrom('true', 'false', 'perhaps'),
  limit: fc.constantFrom('0', '1', '2', '-1', 'x', '99999999999999999999'),
  continue: fc.oneof(
    fc.constantFrom('x', '', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYVx1MDAwMCJ9'),
    fc.base64String(),
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
  ),
  resourceVersion: fc.constantFrom('0', '1', '5', '', '-1', 'x', '999999999999', '1e3', ' 7'),
  resourceVersionMatch: fc.constantFrom('Exact', 'NotOlderThan', 'x'),
  labelSelector: fc.oneof(
    fc.constantFrom(
      'app=fuzz',
      'app in (fuzz,x)',
      '!app',
      'app notin ()',
      'constructor',
      '__proto__=x',
      'a=b,,',
      '(',
      'app!=',
      'x>1',
    ),
    text,
  ),
  fieldSelector: fc.oneof(
    fc.constantFrom(
      'metadata.name=fuzz-a',
      'status.phase!=Running',
      'spec.nodeName=',
      '__proto__.x=1',
      'a\\,b=c',
      'metadata.name',
    ),
    text,
  ),
  watch: fc.constantFrom('true', '1', '', 'false', 'x'),
  allowWatchBookmarks: fc.constantFrom('true', 'false'),
  sendInitialEvents: fc.constantFrom('true', 'false', 'x'),
  timeoutSeconds: fc.constantFrom('1', '0', '-1', 'x', '99999999999999'),
  includeObject: fc.constantFrom('Metadata', 'Object', 'None', 'x'),
  gracePeriodSeconds: fc.constantFrom('0', '1', '-5', 'x'),
  propagationPolicy: fc.constantFrom('Orphan', 'Foreground', 'Background', 'x'),
  orphanDependents: fc.constantFrom('true', 'x'),
  pretty: fc.constantFrom('true', '1'),
  container: text,
  tailLines: fc.constantFrom('1', '-1', 'x'),
  __proto__x: text,
};

const anyQuery = fc
  .array(
    fc
      .constantFrom(...Object.keys(QUERY))
      .chain((name) => (QUERY[name] ?? text).map((value): [string, string] => [name, value])),
    { maxLength: 4 },
  )
  .map((pairs) => new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString());

/** Paths below the collections of a cluster (`/api/v1/pods` and so on), and some that are none. */
const anyPath = (collections: readonly string[], named: number) => {
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
const anyTarget = (path: fc.Arbitrary<string>) =>
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

/** What is not asked: it would take the ground away from under all later requests, or end connections rightly. */
function isDestructive({ method, path }: FuzzRequest): boolean {
  const [plain = ''] = path.split('?');
  return (
    method === 'DELETE' && /\/(customresourcedefinitions|namespaces|clusterroles|clusterrolebindings)\/?$/.test(plain)
  );
}

/** Requests to collections of a cluster. */
export function anyRequest(collections: readonly string[], token: string): fc.Arbitrary<FuzzRequest> {
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE') },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK') },
  );
  const sent = fc.oneof(
    { weight: 40, arbitrary: fc.constant('whole' as const) },
    { weight: 3, arbitrary: fc.constant('raw' as const) },
    { weight: 1, arbitrary: fc.constant('torn' as const) },
  );
  const withQuery = (of: fc.Arbitrary<string>) =>
    fc
      .tuple(of, fc.option(anyQuery, { freq: 2, nil: '' }))
      .map(([base, query]) => (query === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${query}`));
  // What is created has its name in the body.
  const [created, others] = [anyPath(collections, 1), anyPath(collections, 8)];
  const of = { POST: withQuery(created), other: withQuery(others), raw: withQuery(anyTarget(others)) };
  return fc
    .tuple(method, sent)
    .chain(([verb, how]) =>
      fc.tuple(fc.constant(verb), fc.constant(how), how === 'raw' ? of.raw : verb === 'POST' ? of.POST : of.other),
    )
    .chain(([verb, how, to]) =>
      fc.record({
        method: fc.constant(verb),
        sent: fc.constant(how),
        path: fc.constant(to),
        headers: fc
          .tuple(fc.constantFrom(...(verb === 'PATCH' ? PATCH_TYPES : CONTENT_TYPES)), headers)
          .map(
            ([type, others]) => [['Authorization', token], ['Content-Type', type], ...others] as FuzzRequest['headers'],
          ),
        body: verb === 'GET' || verb === 'HEAD' ? fc.constant(Buffer.alloc(0)) : bodyFor(to),
      }),
    )
    .filter((request) => !isDestructive(request));
}

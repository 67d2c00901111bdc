import fc from 'fast-check';

export const CONTENT_TYPES = [
  ...[...Array<string>(12).fill('application/json'), 'application/yaml', 'application/vnd.kubernetes.protobuf', ''],
  ...['application/json; charset=utf-8', 'APPLICATION/JSON', 'text/plain', 'application/json;;', ';', '*/*'],
];
export const PATCH_TYPES = [
  ...['application/merge-patch+json', 'application/json-patch+json', 'application/strategic-merge-patch+json'],
  ...[
    'application/apply-patch+yaml',
    'application/merge-patch+json',
    'application/json',
    'application/apply-patch+cbor',
  ],
];
const ACCEPTS = [
  ...[
    '',
    '*/*',
    'application/json',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
    'text/html',
    ',;=',
    'application/*',
  ],
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  'application/json;as=__proto__;v=v1;g=meta.k8s.io',
];
const CREDENTIALS = [
  'Bearer practice-viewer',
  'Bearer practice-tenant',
  'Bearer ',
  'Bearer nobody',
  'Basic eDp5',
  'Bearer a.b.c',
  '',
];
/** What a header may hold beside plain text. */
const headerText = fc.string({ maxLength: 20 });

const anyHeader: fc.Arbitrary<[string, string]> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('Accept'), fc.constantFrom(...ACCEPTS)) },
  fc.tuple(fc.constant('Authorization'), fc.oneof(fc.constantFrom(...CREDENTIALS), headerText)),
  fc.tuple(
    fc.constant('Impersonate-User'),
    fc.oneof(fc.constantFrom('fuzz', 'system:serviceaccount:fuzz:a', 'system:anonymous'), headerText),
  ),
  fc.tuple(
    fc.constantFrom('Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-%zz', 'Impersonate-Extra-a%2Fb'),
    headerText,
  ),
  fc.tuple(fc.constantFrom('Accept-Encoding', 'Content-Encoding'), fc.constantFrom('gzip', 'br', 'identity;q=0', 'x')),
  fc.tuple(
    fc.constantFrom('User-Agent', 'X-Forwarded-For', 'If-Match', 'Cookie', 'Origin', 'Upgrade', 'Expect', '__proto__'),
    headerText,
  ),
);

/** Headers beside the ones that every request has. */
export const headers = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(anyHeader, { maxLength: 2 }) },
);

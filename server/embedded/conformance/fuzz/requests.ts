import fc from 'fast-check';
import { bodyFor } from './bodies';
import { CONTENT_TYPES, headers, PATCH_TYPES } from './headers';
import { anyPath, anyTarget } from './paths';
import { anyQuery } from './queries';

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

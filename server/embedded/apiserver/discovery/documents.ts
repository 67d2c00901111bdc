import type { KindRegistry } from '../core/kind-registry';
import { negotiate } from '../wire/negotiation';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  hasGroupVersion,
  VERSION,
} from './discovery';
import { openApiDocument, openApiIndex } from './openapi';

/** A document about the server itself. */
export interface ServerDocument {
  body: object;
  contentType?: string;
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const documentOf = (body: object | undefined): ServerDocument | undefined =>
  body === undefined ? undefined : { body };

/** Version, discovery and OpenAPI, by path; undefined where the path names none of them. `address` is host:port, `accept` the header. */
export function documentAt(
  path: readonly string[],
  kinds: KindRegistry,
  address: string,
  accept: string | undefined,
): ServerDocument | undefined {
  const [root, first = '', second = ''] = path;
  if (root === 'openapi') return first === 'v3' ? openApiAt(path.slice(2), kinds) : undefined;
  if (root === 'version' && path.length === 1) return { body: VERSION };
  if (root !== 'api' && root !== 'apis') return undefined;
  switch (path.length) {
    case 1:
      if (negotiate(accept) === 'discovery')
        return { body: aggregatedDiscovery(kinds, root === 'api'), contentType: AGGREGATED };
      return { body: root === 'api' ? apiVersions(address) : apiGroupList(kinds) };
    case 2:
      if (root === 'apis') return documentOf(apiGroup(kinds, first));
      return first === 'v1' ? { body: apiResourceList(kinds, { group: '', version: 'v1' }) } : undefined;
    case 3:
      if (root === 'api' || !hasGroupVersion(kinds, first, second)) return undefined;
      return { body: apiResourceList(kinds, { group: first, version: second }) };
    default:
      return undefined;
  }
}

function openApiAt(path: readonly string[], kinds: KindRegistry): ServerDocument | undefined {
  const [root, ...rest] = path;
  if (root === undefined) return { body: openApiIndex(kinds) };
  const [group = '', version = ''] = root === 'api' ? ['', ...rest] : rest;
  return hasGroupVersion(kinds, group, version) ? { body: openApiDocument(kinds, group, version) } : undefined;
}

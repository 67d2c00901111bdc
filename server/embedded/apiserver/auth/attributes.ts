import { isTrue } from '../core/list-options';
import type { Principal } from '../core/principal';
import { parseResourcePath } from '../core/routes';
import { StatusError } from '../core/status';

/** What somebody wants to do with a resource. */
export interface ResourceAttributes {
  verb: string;
  group: string;
  resource: string;
  subresource: string;
  /** '' for cluster-scoped resources and for all namespaces. */
  namespace: string;
  /** '' when no single object is named. */
  name: string;
}

/** What somebody wants of a path that is no resource. */
export interface PathAttributes {
  verb: string;
  path: string;
}

export type Attributes = ResourceAttributes | PathAttributes;

export const isResource = (attributes: Attributes): attributes is ResourceAttributes => 'resource' in attributes;

const VERBS: Record<string, string> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

function verbOf(method: string, name: string, watch: boolean): string {
  if (method === 'DELETE') return name === '' ? 'deletecollection' : 'delete';
  if (method !== 'GET' && method !== 'HEAD') return VERBS[method] ?? '';
  if (watch) return 'watch';
  return name === '' ? 'list' : 'get';
}

/** What a request asks for, in the terms of the rules (kube-apiserver's request info). */
export function attributesOf(method: string, path: readonly string[], query: URLSearchParams): Attributes {
  const route = parseResourcePath(path);
  if (route === undefined) return { verb: method.toLowerCase(), path: `/${path.join('/')}` };
  const { group, plural, subresource, name } = route;
  const verb = verbOf(method, name, route.watch || isTrue(query.get('watch')));
  // A list of one object by its name counts as asking for that object.
  const selected = /^metadata\.name==?([^,]+)$/.exec(query.get('fieldSelector') ?? '')?.[1] ?? '';
  return {
    verb,
    group,
    resource: plural,
    subresource,
    // A namespace is inside itself.
    namespace: plural === 'namespaces' && route.namespace === '' ? name : route.namespace,
    name: name === '' && verb !== 'create' ? selected : name,
  };
}

/** The refusal of a request, in the API server's sentence; `why` is what went wrong with the rules, if anything did. */
export function forbiddenRequest({ user }: Principal, attributes: Attributes, why: string): StatusError {
  const reason = why === '' ? '' : `: ${why}`;
  const who = `User ${JSON.stringify(user)} cannot ${attributes.verb}`;
  if (!isResource(attributes)) {
    const message = `forbidden: ${who} path ${JSON.stringify(attributes.path)}${reason}`;
    return new StatusError(403, message, 'Forbidden', {});
  }
  const { group, resource, subresource, namespace, name } = attributes;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const what = `${resource}${group === '' ? '' : `.${group}`}${name === '' ? '' : ` ${JSON.stringify(name)}`}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return new StatusError(
    403,
    `${what} is forbidden: ${who} resource "${full}" in API group "${group}" ${where}${reason}`,
    'Forbidden',
    { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource },
  );
}

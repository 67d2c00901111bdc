/** What a resource path names. Empty texts stand for "not named". */
export interface ResourcePath {
  group: string;
  version: string;
  plural: string;
  namespace: string;
  name: string;
  subresource: string;
  /** An old way to ask for a watch: `/apis/<group>/<version>/watch/…`. */
  watch: boolean;
}

/** Reads `/api/v1/…` and `/apis/<group>/<version>/…`; undefined for anything else. */
export function parseResourcePath(path: readonly string[]): ResourcePath | undefined {
  const [root, ...rest] = path;
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'api' ? '' : (rest.shift() ?? '');
  const version = rest.shift() ?? '';
  const watch = rest[0] === 'watch';
  if (watch) rest.shift();
  const [first, second, third] = rest;
  if (first === undefined) return undefined;
  // `/namespaces/x`, `/namespaces/x/status` and `/namespaces/x/finalize` are about the namespace itself.
  const within = first === 'namespaces' && third !== undefined && third !== 'status' && third !== 'finalize';
  const namespace = within ? (second ?? '') : '';
  const [plural = '', name = '', ...more] = within ? rest.slice(2) : rest;
  return { group, version, plural, namespace, name, subresource: more.join('/'), watch };
}

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

/** Path and query of a request line, which may name a server too; undefined where it is neither, or not properly escaped. */
export function targetOf(url: string): { path: string[]; query: URLSearchParams } | undefined {
  const [, pathname, query = ''] = /^(?:https?:\/\/[^/?]*)?(\/[^?]*|\*)(\?.*)?$/i.exec(url) ?? [];
  if (pathname === undefined) return undefined;
  try {
    const path = decodeURIComponent(pathname).split('/');
    return { path: path.filter((part) => part !== ''), query: new URLSearchParams(query) };
  } catch {
    return undefined;
  }
}

/** A handler and the path that it is for: `{name}` stands for one segment that is not empty. */
export interface Route<H> {
  method: string;
  path: string;
  handle: H;
}

export type Match<H> =
  | { kind: 'route'; handle: H; params: Record<string, string> }
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'unknown' };

interface Compiled<H> extends Route<H> {
  segments: string[];
}

/** Finds routes as Go's ServeMux does with patterns that end in a slash: a route owns every deeper path, the longest one wins. */
export class Router<H> {
  readonly #routes: Compiled<H>[];

  constructor(routes: Route<H>[]) {
    const compiled = routes.map((route) => ({ ...route, segments: route.path.split('/').slice(1) }));
    // Longest first; among those of one length, those with fewer placeholders.
    this.#routes = compiled.sort(
      (a, b) => b.segments.length - a.segments.length || wildcards(a.segments) - wildcards(b.segments),
    );
  }

  /** @param path as sent, without the query */
  match(method: string, path: string): Match<H> {
    const parts = path.split('/').slice(1);
    const fitting = this.#routes.filter(({ segments }) => fits(segments, parts));
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = fitting.find((route) => route.method === wanted);
    if (found !== undefined) return { kind: 'route', handle: found.handle, params: paramsOf(found.segments, parts) };
    if (fitting.length === 0) return { kind: 'unknown' };
    const methods = new Set(fitting.flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])));
    return { kind: 'wrong-method', allow: [...methods].sort().join(', ') };
  }
}

const isWildcard = (segment: string) => segment.startsWith('{');
const wildcards = (segments: string[]) => segments.filter(isWildcard).length;

const fits = (segments: string[], parts: string[]) =>
  segments.every((segment, i) => (isWildcard(segment) ? (parts[i] ?? '') !== '' : segment === parts[i]));

function paramsOf(segments: string[], parts: string[]): Record<string, string> {
  const named = segments.flatMap((segment, i) => (isWildcard(segment) ? [[segment.slice(1, -1), parts[i] ?? '']] : []));
  return Object.fromEntries(named);
}

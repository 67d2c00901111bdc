import { type Attributes, isResource } from '../auth/attributes';
import type { KindRegistry } from '../core/kind-registry';
import { parseResourcePath } from '../core/routes';
import { collectionOf } from '../core/shapes';
import type { Storage } from '../core/storage';
import type { Watches } from '../core/watches';
import type { InFlight } from './in-flight';

type Labels = Record<string, string>;

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const SERIES_LIMIT = 5_000;
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const METHODS: Record<string, string> = { create: 'POST', update: 'PUT' };
const PATHS = ['/api', '/apis', '/healthz', '/livez', '/metrics', '/openapi', '/readyz', '/version'];

function scopeOf(namespace: string, name: string): string {
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

function series(labels: Labels): string {
  const text = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${text.join(',')}}`;
}

/** What `/metrics` tells of the server, under kube-apiserver's names. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #started = Date.now() / 1_000;

  /** Counts a request that has been answered. */
  observe(attributes: Attributes, path: readonly string[], query: URLSearchParams, code: number, kinds: KindRegistry) {
    const version = (isResource(attributes) && parseResourcePath(path)?.version) || '';
    const verb = VERBS.includes(attributes.verb) ? (METHODS[attributes.verb] ?? attributes.verb.toUpperCase()) : '';
    const known =
      isResource(attributes) && kinds.find(attributes.group, version, attributes.resource) !== undefined
        ? attributes
        : undefined;
    const root = isResource(attributes) ? '' : `/${path[0] ?? ''}`;
    const key = series({
      code: String(code),
      component: known === undefined ? '' : 'apiserver',
      dry_run: query.has('dryRun') ? 'All' : '',
      group: known?.group ?? '',
      resource: known?.resource ?? '',
      scope: known === undefined ? '' : scopeOf(known.namespace, known.name),
      subresource: known?.subresource ?? (PATHS.includes(root) ? root : ''),
      verb,
      version: known === undefined ? '' : version,
    });
    // What a client makes up must not fill the memory.
    if (!this.#requests.has(key) && this.#requests.size >= SERIES_LIMIT) return;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
  }

  /** The Prometheus text. */
  text(storage: Storage, kinds: KindRegistry, watches: Watches, inFlight: InFlight): string {
    const lines: string[] = [];
    const family = (name: string, type: string, help: string, values: Iterable<[string, number]>) => {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const [labels, value] of values) lines.push(`${name}${labels} ${value}`);
    };
    const objects = kinds
      .all()
      .filter(({ storedAs }) => storedAs === undefined)
      .map((kind): [Labels, number] => [
        { group: kind.group, resource: kind.plural },
        storage.collection(collectionOf(kind)).items.size,
      ]);
    const open = new Map<string, number>();
    for (const { kind, namespace } of watches.open) {
      const key = series({
        component: 'apiserver',
        group: kind.group,
        resource: kind.plural,
        scope: scopeOf(namespace, ''),
        subresource: '',
        verb: 'WATCH',
        version: kind.version,
      });
      open.set(key, (open.get(key) ?? 0) + 1);
    }
    family('apiserver_current_inflight_requests', 'gauge', 'Requests that are being answered.', [
      [series({ request_kind: 'mutating' }), inFlight.mutating],
      [series({ request_kind: 'readOnly' }), inFlight.readOnly],
    ]);
    family('apiserver_longrunning_requests', 'gauge', 'Watches that are open.', open);
    family('apiserver_request_total', 'counter', 'Requests that were answered.', this.#requests);
    family(
      'apiserver_resource_objects',
      'gauge',
      'Stored objects.',
      objects.map(([labels, count]) => [series(labels), count]),
    );
    family(
      'apiserver_storage_objects',
      'gauge',
      'Stored objects, by the older name.',
      objects.map(([{ group, resource = '' }, count]) => [
        series({ resource: group === '' ? resource : `${resource}.${group}` }),
        count,
      ]),
    );
    const { user, system } = process.cpuUsage();
    family('process_cpu_seconds_total', 'counter', 'CPU time of the process.', [['', (user + system) / 1e6]]);
    family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [['', process.memoryUsage.rss()]]);
    family('process_start_time_seconds', 'gauge', 'When the server was started.', [['', this.#started]]);
    return `${lines.join('\n')}\n`;
  }
}

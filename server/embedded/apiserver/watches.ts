import type { ServerResponse } from 'node:http';
import { apiVersionOf, idOf } from './kinds';
import { integerIn, partialMetadata } from './lists';
import type { Form } from './negotiation';
import { matcherFor } from './selectors';
import { expired, forbidden, invalid, StatusError } from './status';
import { type Change, type ChangeType, type Storage, Version } from './storage';
import { tableOf } from './tables/table';
import type { Target } from './writes';

const BOOKMARK_MS = 10_000;
/** A watcher that leaves this many bytes unread is cut off; it lists again. */
const UNREAD_LIMIT = 64 * 1024 * 1024;

interface Open {
  id: string;
  end(): void;
}

/** The watches that are open on a server. */
export class Watches {
  readonly #open = new Set<Open>();
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Ends every watch of a kind, or of every kind. */
  end(id?: string): void {
    for (const watch of [...this.#open]) if (id === undefined || watch.id === id) watch.end();
  }

  /** Opens a watch on a response that has not been written to yet. Throws a StatusError when it cannot. */
  start(target: Target, query: URLSearchParams, form: Form, response: ServerResponse): void {
    const storage = this.#storage;
    const { kind, namespace } = target;
    const matches =
      matcherFor(namespace, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '', kind.fieldSelectors) ??
      (() => true);
    const since = sinceOf(query);
    const bookmarks = isTrue(query.get('allowWatchBookmarks'));
    const sendInitial = initialEventsOf(query, since);
    const id = idOf(kind);
    const collection = storage.collection(id);
    const write = writerFor(target, form, query.get('includeObject') ?? 'Metadata', response);

    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();

    const onChange = (change: Change) => {
      if (change.resourceVersion <= since) return;
      const before = change.previous !== undefined && matches(change.previous.object);
      const after = change.type !== 'DELETED' && matches(change.version.object);
      if (after && before) write('MODIFIED', change.version, change);
      else if (after) write('ADDED', change.version, change);
      else if (before) write('DELETED', lastSeen(change), change);
      if (response.writableLength > UNREAD_LIMIT) response.destroy();
    };
    const bookmark = (annotations?: Record<string, string>) => {
      const metadata = {
        ...(annotations === undefined ? {} : { annotations }),
        resourceVersion: String(storage.resourceVersion),
      };
      const object = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata };
      response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
    };

    if (sendInitial) {
      for (const key of collection.keys) {
        const version = collection.items.get(key);
        if (version !== undefined && matches(version.object)) write('ADDED', version);
      }
      const announced = isTrue(query.get('sendInitialEvents')) || (query.get('resourceVersion') ?? '') === '';
      if (bookmarks && announced) bookmark({ 'k8s.io/initial-events-end': 'true' });
    } else {
      const missed = collection.since(since);
      if (missed === undefined) {
        const error = expired(`too old resource version: ${since} (${collection.compactedTo})`);
        response.end(`${JSON.stringify({ type: 'ERROR', object: error.body() })}\n`);
        return;
      }
      for (const change of missed) onChange(change);
    }

    const unsubscribe = collection.subscribe(onChange);
    const seconds = integerIn(query, 'timeoutSeconds') || 1_800 + Math.random() * 1_800;
    const timeout = setTimeout(() => close(), seconds * 1_000);
    const ticker = bookmarks ? setInterval(bookmark, BOOKMARK_MS) : undefined;
    const open: Open = { id, end: () => close() };
    const close = () => {
      unsubscribe();
      clearTimeout(timeout);
      clearInterval(ticker);
      this.#open.delete(open);
      response.end();
    };
    this.#open.add(open);
    response.on('close', close);
  }
}

const isTrue = (text: string | null) => text === 'true' || text === '1';

/** The version a watch starts after; 0 for "whatever there is". */
function sinceOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw new StatusError(500, `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}`);
}

function initialEventsOf(query: URLSearchParams, since: number): boolean {
  const sendInitialEvents = query.get('sendInitialEvents');
  if (sendInitialEvents === null) return since === 0;
  const causes = [];
  if (query.get('resourceVersionMatch') !== 'NotOlderThan') {
    causes.push(
      forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    );
  }
  if (causes.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', causes);
  return isTrue(sendInitialEvents);
}

/** What a watcher is told of an object that left its selection: the last state it matched, at the version of the change. */
function lastSeen({ type, version, previous }: Change): Version {
  if (type === 'DELETED' || previous === undefined) return version;
  const metadata = { ...previous.object.metadata, resourceVersion: String(version.resourceVersion) };
  return new Version(version.key, { ...previous.object, metadata }, version.resourceVersion);
}

type Write = (type: ChangeType, version: Version, change?: Change) => void;

function writerFor(target: Target, form: Form, includeObject: string, response: ServerResponse): Write {
  if (form === 'table') {
    let first = true;
    return (type, version) => {
      const table = tableOf(
        target.kind,
        [version.object],
        { resourceVersion: version.object.metadata.resourceVersion },
        includeObject,
      );
      response.write(`${JSON.stringify({ type, object: first ? table : { ...table, columnDefinitions: null } })}\n`);
      first = false;
    };
  }
  if (form === 'metadata') {
    return (type, version) => {
      response.write(`${JSON.stringify({ type, object: partialMetadata(version.object) })}\n`);
    };
  }
  return (type, version, change) => {
    if (change !== undefined && change.type === type && change.version === version) response.write(change.line);
    else response.write(`{"type":"${type}","object":${version.json}}\n`);
  };
}

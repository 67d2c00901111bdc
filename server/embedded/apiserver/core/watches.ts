import type { ServerResponse } from 'node:http';
import { tableOf } from '../tables/table';
import type { Form } from '../wire/negotiation';
import { apiVersionOf } from './kind-definition';
import { checkListOptions, invalidVersion, isTrue, sendInitialEventsIn, versionIn } from './list-options';
import { integerIn, partialMetadata } from './lists';
import type { Target } from './reads';
import { includeObject } from './responses';
import { matcherFor } from './selectors';
import { changeShownAs, collectionOf, shownAs } from './shapes';
import { expired } from './status';
import { type Change, type ChangeType, type Storage, Version } from './storage';

const BOOKMARK_MS = 10_000;
/** With more than this, setTimeout ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A watcher that leaves this many bytes unread is cut off; it lists again. */
const UNREAD_LIMIT = 64 * 1024 * 1024;

interface Open extends Target {
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

  /** The watches that are open now, each with what it is about. */
  get open(): Iterable<Target> {
    return this.#open;
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
      matcherFor(namespace, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '', kind) ?? (() => true);
    checkListOptions(query, true);
    const since = versionIn(query, invalidVersion) ?? 0;
    const seconds = integerIn(query, 'timeoutSeconds') || 1_800 + Math.random() * 1_800;
    const bookmarks = isTrue(query.get('allowWatchBookmarks'));
    const sendInitial = sendInitialEventsIn(query) ?? since === 0;
    const id = collectionOf(kind);
    const collection = storage.collection(id);
    const write = writerFor(target, form, includeObject(query), response);

    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();

    const onChange = (stored: Change) => {
      const change = changeShownAs(kind, stored);
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
        const stored = collection.items.get(key);
        const version = stored && shownAs(kind, stored);
        if (version !== undefined && matches(version.object)) write('ADDED', version);
      }
      if (bookmarks) bookmark({ 'k8s.io/initial-events-end': 'true' });
    } else {
      const missed = since === 0 ? [] : collection.since(since);
      if (missed === undefined) {
        const error = expired(`too old resource version: ${since} (${collection.compactedTo})`);
        response.end(`${JSON.stringify({ type: 'ERROR', object: error.body() })}\n`);
        return;
      }
      for (const change of missed) onChange(change);
    }

    const unsubscribe = collection.subscribe(onChange);
    const timeout = setTimeout(() => close(), Math.min(seconds * 1_000, LONGEST_TIMER_MS));
    const ticker = bookmarks ? setInterval(bookmark, BOOKMARK_MS) : undefined;
    const open: Open = { ...target, id, end: () => close() };
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
  if (form === 'metadata' || form === 'metadataList') {
    return (type, version) => {
      response.write(`${JSON.stringify({ type, object: partialMetadata(version.object) })}\n`);
    };
  }
  return (type, version, change) => {
    if (change !== undefined && change.type === type && change.version === version) response.write(change.line);
    else response.write(`{"type":"${type}","object":${version.json}}\n`);
  };
}

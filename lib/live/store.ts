import { type RowKind, type RowLists, type RowOf, rowKinds } from '@/lib/contracts/rows';
import type { RowsReply, StreamMessage } from '@/lib/contracts/stream';

type AnyRow = RowOf<RowKind>;
type Delta = Extract<StreamMessage, { type: 'delta' }>;

interface Table {
  byUid: Map<string, AnyRow>;
  uidByName: Map<string, string>;
  /** Built when asked for; dropped when the kind changes, so that its reference tells of change. */
  list: readonly AnyRow[] | undefined;
}

interface Cursor {
  epoch: string;
  seq: number;
}

/** Reads `<epoch>-<sequence>`. Undefined when it is neither. */
export function parseCursor(text: string): Cursor | undefined {
  const dash = text.lastIndexOf('-');
  const seq = Number(text.slice(dash + 1));
  return dash > 0 && Number.isSafeInteger(seq) ? { epoch: text.slice(0, dash), seq } : undefined;
}

const nameKey = (namespace: string, name: string) => `${namespace}/${name}`;
const keyOf = (row: AnyRow) => nameKey('ns' in row ? row.ns : '', row.name);

/** Rows are flat but for a few small lists, which JSON compares well enough. */
function sameRow(a: AnyRow, b: AnyRow): boolean {
  const left = Object.entries(a);
  if (left.length !== Object.keys(b).length) return false;
  const right = new Map<string, unknown>(Object.entries(b));
  return left.every(([key, value]) => {
    const other = right.get(key);
    return value === other || (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(other));
  });
}

/**
 * What the tab knows, by kind and uid. No I/O and no clock: the same replies and messages in the same
 * order always give the same rows. Rows that did not change keep their identity, also over a new list.
 */
export class RowStore {
  #tables = new Map<RowKind, Table>(
    rowKinds.map((kind) => [kind, { byUid: new Map(), uidByName: new Map(), list: undefined }]),
  );
  #cursor: Cursor | undefined;

  /** Where a stream continues; undefined before the first list. */
  get cursor(): string | undefined {
    return this.#cursor && `${this.#cursor.epoch}-${this.#cursor.seq}`;
  }

  /**
   * Replaces everything by a list, unless what is here is newer. Returns the kinds that changed.
   * Without a cursor that can be read, the rows count as of another server process.
   */
  applyReply(reply: Pick<RowsReply, 'cursor' | 'rows'>): RowKind[] {
    const cursor = parseCursor(reply.cursor) ?? { epoch: reply.cursor, seq: 0 };
    if (this.#cursor?.epoch === cursor.epoch && cursor.seq < this.#cursor.seq) return [];
    this.#cursor = cursor;
    return rowKinds.filter((kind) => this.#replace(kind, reply.rows[kind]));
  }

  /**
   * Applies a delta. A duplicate or an older one changes nothing; one of another server process answers
   * `foreign`, and the rows have to be listed again.
   */
  applyDelta(delta: Delta): RowKind[] | 'foreign' {
    const moved = this.advance(delta.cursor);
    if (moved === 'foreign') return 'foreign';
    if (moved === 'old') return [];
    return rowKinds.filter((kind) => this.#merge(kind, delta.upserts[kind] ?? [], delta.removes[kind] ?? []));
  }

  /** Moves the cursor without rows (heartbeats do): nothing of this scope changed up to there. */
  advance(text: string): 'moved' | 'old' | 'foreign' {
    const cursor = parseCursor(text);
    if (!cursor || cursor.epoch !== this.#cursor?.epoch) return 'foreign';
    if (cursor.seq <= this.#cursor.seq) return 'old';
    this.#cursor = cursor;
    return 'moved';
  }

  list<K extends RowKind>(kind: K): RowLists[K] {
    const table = this.#table(kind);
    table.list ??= [...table.byUid.values()];
    // The table of a kind receives rows of that kind alone: the schemas at the edge see to it.
    return table.list as unknown as RowLists[K];
  }

  get<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined {
    return this.#table(kind).byUid.get(uid) as RowOf<K> | undefined;
  }

  /** Namespace is ignored for nodes and namespaces, which have none. */
  getByName<K extends RowKind>(kind: K, namespace: string, name: string): RowOf<K> | undefined {
    const scope = kind === 'nodes' || kind === 'namespaces' ? '' : namespace;
    const uid = this.#table(kind).uidByName.get(nameKey(scope, name));
    return uid === undefined ? undefined : this.get(kind, uid);
  }

  #table(kind: RowKind): Table {
    const table = this.#tables.get(kind);
    if (!table) throw new Error(`no such kind: ${kind}`);
    return table;
  }

  #replace(kind: RowKind, rows: readonly AnyRow[]): boolean {
    const table = this.#table(kind);
    const before = table.byUid;
    let changed = before.size !== rows.length;
    const byUid = new Map<string, AnyRow>();
    for (const row of rows) {
      const known = before.get(row.uid);
      const kept = known && sameRow(known, row) ? known : row;
      if (kept !== known) changed = true;
      byUid.set(row.uid, kept);
    }
    if (!changed) return false;
    table.byUid = byUid;
    table.uidByName = new Map(rows.map((row) => [keyOf(row), row.uid]));
    table.list = undefined;
    return true;
  }

  #merge(kind: RowKind, upserts: readonly AnyRow[], removes: readonly string[]): boolean {
    const table = this.#table(kind);
    let changed = false;
    // First what is gone: a name can come back with another uid in the same batch.
    for (const uid of removes) {
      const row = table.byUid.get(uid);
      if (!row) continue;
      table.byUid.delete(uid);
      if (table.uidByName.get(keyOf(row)) === uid) table.uidByName.delete(keyOf(row));
      changed = true;
    }
    for (const row of upserts) {
      const known = table.byUid.get(row.uid);
      if (known && sameRow(known, row)) continue;
      table.byUid.set(row.uid, row);
      table.uidByName.set(keyOf(row), row.uid);
      changed = true;
    }
    if (changed) table.list = undefined;
    return changed;
  }
}

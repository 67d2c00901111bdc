import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import type { RowKind, RowOf } from '@/lib/contracts/rows';

/** Which row has changed, or is gone; the row itself is read from the table when it is needed. */
export interface RowChange {
  kind: RowKind;
  uid: string;
  /** The namespace it is in; of a namespace its own name, of a node ''. */
  namespace: string;
}

/** Namespace that decides who sees a row. */
export function namespaceOf(kind: RowKind, row: RowOf<RowKind>): string {
  if (kind === 'namespaces') return row.name;
  return 'ns' in row ? row.ns : '';
}

/** Rows of one kind by uid and by name. Setting an equal row is no change. */
export class RowTable<K extends RowKind> {
  #kind: K;
  #changed: (change: RowChange) => void;
  #byUid = new Map<string, RowOf<K>>();
  #uidByName = new Map<string, string>();

  constructor(kind: K, changed: (change: RowChange) => void) {
    this.#kind = kind;
    this.#changed = changed;
  }

  rows(): Iterable<RowOf<K>> {
    return this.#byUid.values();
  }

  get(uid: string): RowOf<K> | undefined {
    return this.#byUid.get(uid);
  }

  /** Namespace '' for kinds without one. */
  getByName(namespace: string, name: string): RowOf<K> | undefined {
    const uid = this.#uidByName.get(`${namespace}/${name}`);
    return uid === undefined ? undefined : this.#byUid.get(uid);
  }

  set(row: RowOf<K>): void {
    const known = this.#byUid.get(row.uid);
    if (known && isDeepStrictEqual(known, row)) return;
    this.#byUid.set(row.uid, row);
    this.#uidByName.set(this.#nameKey(row), row.uid);
    this.#tell(row);
  }

  delete(row: RowOf<K>): void {
    if (!this.#byUid.delete(row.uid)) return;
    if (this.#uidByName.get(this.#nameKey(row)) === row.uid) this.#uidByName.delete(this.#nameKey(row));
    this.#tell(row);
  }

  #nameKey(row: RowOf<K>): string {
    return `${'ns' in row ? row.ns : ''}/${row.name}`;
  }

  #tell(row: RowOf<K>): void {
    this.#changed({ kind: this.#kind, uid: row.uid, namespace: namespaceOf(this.#kind, row) });
  }
}

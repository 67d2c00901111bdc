/** Secondary indexes of objects that are kept by key: for each name, the keys by a value of the object. */
export class Indexes<T> {
  private readonly all = new Map<
    string,
    { entryOf: (object: T) => string | undefined; entries: Map<string, Set<string>> }
  >();

  declare(name: string, entryOf: (object: T) => string | undefined): void {
    this.all.set(name, { entryOf, entries: new Map() });
  }

  keys = (name: string, value: string): string[] => [...(this.all.get(name)?.entries.get(value) ?? [])];

  add(key: string, object: T): void {
    for (const { entryOf, entries } of this.all.values()) {
      const value = entryOf(object);
      if (value === undefined) continue;
      const keys = entries.get(value);
      if (keys === undefined) entries.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  remove(key: string, object: T): void {
    for (const { entryOf, entries } of this.all.values()) {
      const value = entryOf(object);
      if (value === undefined) continue;
      const keys = entries.get(value);
      keys?.delete(key);
      if (keys?.size === 0) entries.delete(value);
    }
  }
}

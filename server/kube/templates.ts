import 'server-only';
import { createHash } from 'node:crypto';
import { isObject } from '@/lib/domain/json-diff';
import { record } from '@/lib/domain/read';
import { stableText } from '@/lib/domain/upgrades/template-groups';

/** Texts shared by all who hold the same one. */
class Shared {
  #texts = new Map<string, WeakRef<{ readonly text: string }>>();
  /** Nobody counts holders: a list that is given up half way leaves none behind that would have to be told. */
  #unused = new FinalizationRegistry<string>((key) => {
    if (!this.#texts.get(key)?.deref()) this.#texts.delete(key);
  });

  of(text: string): { readonly text: string } {
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.#texts.get(key)?.deref();
    if (known) return known;
    const shared = { text };
    this.#texts.set(key, new WeakRef(shared));
    this.#unused.register(shared, key);
    return shared;
  }
}

/** A Pod template as it was seen, secrets included: for memory and the database, never for a log, a stream or an answer. */
export class SeenTemplate {
  #metadata: { readonly text: string };
  #spec: { readonly text: string };

  constructor(metadata: { readonly text: string }, spec: { readonly text: string }) {
    this.#metadata = metadata;
    this.#spec = spec;
  }

  /** Whether nothing has changed, not even the order of keys. */
  isWritten(metadata: string, spec: string): boolean {
    return this.#metadata.text === metadata && this.#spec.text === spec;
  }

  /** JSON with sorted keys: equal for equal templates. */
  text(): string {
    const [metadata, spec] = [this.#metadata.text, this.#spec.text].map((part): unknown => JSON.parse(part));
    return stableText({ ...(metadata === null ? {} : { metadata }), ...(spec === null ? {} : { spec }) });
  }
}

/** Templates of sandboxes. Many have the same, and of those that differ most differ in a label only: both parts are shared. */
export class Templates {
  #metadata = new Shared();
  #specs = new Shared();

  /** `before` is what the same sandbox had: most events leave it as it is. */
  of(sandbox: unknown, before: SeenTemplate | undefined): SeenTemplate | undefined {
    const { template } = record(record(sandbox).spec);
    if (!isObject(template)) return undefined;
    const metadata = JSON.stringify(template.metadata ?? null);
    const spec = JSON.stringify(template.spec ?? null);
    if (before?.isWritten(metadata, spec)) return before;
    return new SeenTemplate(this.#metadata.of(metadata), this.#specs.of(spec));
  }
}

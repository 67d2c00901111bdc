import { deepEqual, type Fields, fieldsOf, listOf, numberOf } from '../core/objects';
import { mergePatch } from '../core/patches';

/** What a client can know of an object's content. */
export interface Content {
  labels: Record<string, string>;
  finalizers: readonly string[];
  spec: Fields;
  status: Fields | undefined;
}

interface Modelled extends Content {
  generation: number;
  marked: boolean;
}

/** What a write does, by the promises of the API server. */
export type Outcome = 'refused' | 'unchanged' | 'ADDED' | 'MODIFIED' | 'DELETED';

export function contentOf(object: Fields): Content {
  return {
    labels: fieldsOf(object, 'metadata', 'labels') as Record<string, string>,
    finalizers: listOf(object, 'metadata', 'finalizers') as string[],
    spec: fieldsOf(object, 'spec'),
    status: object.status === undefined ? undefined : fieldsOf(object, 'status'),
  };
}

/** The objects of one kind with `status` and `scale` apart, as simple as they can be. */
export class Model {
  readonly #objects = new Map<string, Modelled>();

  get names(): string[] {
    return [...this.#objects.keys()].sort();
  }

  /** What can be seen of an object: content, generation, and whether it is marked for deletion. */
  seen(name: string): Modelled | undefined {
    return this.#objects.get(name);
  }

  /** Does something that is taken back: a dry run says what would come of it. */
  tried(act: () => Outcome): Outcome {
    const before = new Map(this.#objects);
    const outcome = act();
    this.#objects.clear();
    for (const [name, object] of before) this.#objects.set(name, object);
    return outcome === 'refused' ? 'refused' : 'unchanged';
  }

  create(name: string, content: Content): Outcome {
    if (this.#objects.has(name)) return 'refused';
    this.#objects.set(name, { ...content, status: undefined, generation: 1, marked: false });
    return 'ADDED';
  }

  /** A merge patch of labels, finalizers and spec, or of the status alone. */
  patch(name: string, patch: Fields, part: 'main' | 'status'): Outcome {
    const before = this.#objects.get(name);
    if (before === undefined) return 'refused';
    const merged = contentOf(mergePatch(asObject(before), patch) as Fields);
    const after: Modelled =
      part === 'status'
        ? { ...before, status: merged.status }
        : { ...before, ...merged, status: before.status, generation: before.generation };
    if (before.marked && after.finalizers.some((finalizer) => !before.finalizers.includes(finalizer))) return 'refused';
    if (part === 'main' && !deepEqual(after.spec, before.spec)) after.generation += 1;
    if (deepEqual(after, before)) return 'unchanged';
    this.#objects.set(name, after);
    if (!after.marked || after.finalizers.length > 0) return 'MODIFIED';
    this.#objects.delete(name);
    return 'DELETED';
  }

  delete(name: string): Outcome {
    const before = this.#objects.get(name);
    if (before === undefined) return 'refused';
    if (before.finalizers.length === 0) {
      this.#objects.delete(name);
      return 'DELETED';
    }
    if (before.marked) return 'unchanged';
    // The deletion mark counts as a change of what is wanted.
    this.#objects.set(name, { ...before, marked: true, generation: before.generation + 1 });
    return 'MODIFIED';
  }
}

function asObject({ labels, finalizers, spec, status }: Content): Fields {
  return { metadata: { labels, finalizers }, spec, ...(status === undefined ? {} : { status }) };
}

/** What a {@link Model} says of an object, taken from a real one. */
export function seenIn(object: Fields): Modelled {
  return {
    ...contentOf(object),
    generation: numberOf(object, 'metadata', 'generation') ?? 0,
    marked: fieldsOf(object, 'metadata').deletionTimestamp !== undefined,
  };
}

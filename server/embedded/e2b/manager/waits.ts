import type { Informer } from '../../controllers/client/informer';
import { type KubeObject, keyOf } from '../../controllers/client/objects';

const ownWriteMs = 2_000;

/** Waits for what a local copy will show. */
export class Waits<T extends KubeObject> {
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(readonly copies: Informer<T>) {
    copies.onChange((before, after) => {
      const object = after ?? before;
      if (object !== undefined) for (const look of this.#waiting.get(keyOf(object)) ?? []) look();
    });
  }

  /**
   * Resolves to what `test` first answers for the object; undefined after `ms` (without end when absent) or at the signal.
   */
  until<R>(
    key: string,
    test: (object: T | undefined) => R | undefined,
    { ms, signal }: { ms?: number | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<R | undefined> {
    return new Promise((resolve) => {
      const looks = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, looks);
      const settle = (answer: R | undefined) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        looks.delete(look);
        if (looks.size === 0 && this.#waiting.get(key) === looks) this.#waiting.delete(key);
        resolve(answer);
      };
      const giveUp = () => settle(undefined);
      const look = () => {
        const answer = test(this.copies.get(key));
        if (answer !== undefined) settle(answer);
      };
      const timer = ms === undefined ? undefined : setTimeout(giveUp, ms);
      looks.add(look);
      if (signal?.aborted === true) giveUp();
      else {
        signal?.addEventListener('abort', giveUp, { once: true });
        look();
      }
    });
  }

  /** Until the copy shows a write of ours, or what came after it: who asks next must see it. */
  async shows({ metadata }: T, written: T): Promise<void> {
    const version = Number(written.metadata.resourceVersion);
    await this.until(
      keyOf(written),
      (object) =>
        object?.metadata.uid !== metadata.uid || Number(object.metadata.resourceVersion) >= version || undefined,
      { ms: ownWriteMs },
    );
  }
}

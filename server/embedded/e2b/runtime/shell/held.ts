import { LIMITS } from '../limits';
import { ShellError } from './state';

/** Shells run in the process of the cluster: none may fill its memory. */
export function requireRoom(characters: number): void {
  if (characters > LIMITS.shellCharacters) throw new ShellError('cannot allocate memory', 2, true);
}

/** What a shell keeps by name, as long as there is room for it. */
export class Held<V> extends Map<string, V> {
  #characters = 0;
  #weigh: (value: V) => number;

  /** @param weigh characters of a value */
  constructor(weigh: (value: V) => number) {
    super();
    this.#weigh = weigh;
  }

  override set(name: string, value: V): this {
    const characters = this.#characters + name.length + this.#weigh(value) - this.#of(name);
    requireRoom(characters);
    this.#characters = characters;
    return super.set(name, value);
  }

  override delete(name: string): boolean {
    this.#characters -= this.#of(name);
    return super.delete(name);
  }

  copy(): Held<V> {
    const copy = new Held(this.#weigh);
    for (const [name, value] of this) copy.set(name, value);
    return copy;
  }

  #of(name: string): number {
    const value = this.get(name);
    return value === undefined ? 0 : name.length + this.#weigh(value);
  }
}

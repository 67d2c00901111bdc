import 'server-only';

const slot = Symbol.for('agents-console.once');

/**
 * One instance a process. Module state is not enough: the bundler may give two routes two copies of a module.
 * @param key unique in the project
 */
export function once<T>(key: string, make: () => T): T {
  const holder = globalThis as { [slot]?: Map<string, unknown> };
  holder[slot] ??= new Map();
  if (!holder[slot].has(key)) holder[slot].set(key, make());
  return holder[slot].get(key) as T;
}

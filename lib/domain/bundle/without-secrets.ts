import { lastApplied, mask, redactObject, secretAnnotations } from '../redact';

/**
 * A copy for people outside: what {@link redactObject} masks, and besides no value of any environment variable, and of
 * annotations that carry credentials or requests not even the name.
 */
export function withoutSecrets<T>(object: T): T {
  return stripped(redactObject(object), '') as T;
}

function stripped(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => (key === 'env' ? nameOnly(item) : stripped(item, '')));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => !(key === 'annotations' && (secretAnnotations.has(name) || name === lastApplied)),
  );
  return Object.fromEntries(entries.map(([name, item]) => [name, stripped(item, name)]));
}

/** Where a value comes from may be said. */
function nameOnly(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return mask;
  return 'value' in item ? { ...item, value: mask } : item;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Plain maps of a PodTemplateSpec; any other object says something by being there, as `emptyDir: {}` does. */
const maps = new Set(['labels', 'annotations', 'nodeSelector', 'requests', 'limits', 'overhead']);

/** A PodTemplateSpec as Go's types write it: without empty lists and maps (`omitempty`). */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(kept.filter(([key, item]) => !isEmptyList(item) && !(maps.has(key) && isEmptyMap(item))));
}

const isEmptyList = (item: unknown): boolean => Array.isArray(item) && item.length === 0;
const isEmptyMap = (item: unknown): boolean => isObject(item) && Object.keys(item).length === 0;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const listKeys: Record<string, string> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  imagePullSecrets: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  ports: 'containerPort',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
};

/**
 * Strategic merge of a patch onto a PodTemplateSpec: lists with a merge key are merged by it, other lists replaced; null removes
 * a field; `$patch: delete` removes a list item (or, in a map, everything), `$patch: replace` replaces.
 */
export function strategicMerge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const { $patch: directive, ...fields } = patch;
  if (directive === 'delete') return {};
  if (directive === 'replace') return fields;
  const result: Json = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(fields)) {
    const mergeKey = listKeys[key];
    if (value === null) delete result[key];
    else if (key.startsWith('$setElementOrder/') || key.startsWith('$retainKeys')) continue;
    else if (Array.isArray(value) && mergeKey !== undefined) result[key] = mergeList(result[key], value, mergeKey);
    else if (isObject(value)) result[key] = strategicMerge(result[key], value);
    else result[key] = value;
  }
  return result;
}

function mergeList(target: unknown, patch: unknown[], mergeKey: string): unknown[] {
  if (patch.some((item) => isObject(item) && item.$patch === 'replace'))
    return patch.filter((item) => !(isObject(item) && item.$patch === 'replace'));
  let result: unknown[] = Array.isArray(target) ? [...target] : [];
  const keyOf = (item: unknown) => (isObject(item) ? item[mergeKey] : undefined);
  const named: unknown[] = [];
  for (const item of patch) {
    if (!isObject(item)) continue;
    const matches = (other: unknown) => isObject(other) && keyOf(other) === keyOf(item);
    if (item.$patch === 'delete') {
      result = result.filter((other) => !matches(other));
      continue;
    }
    named.push(keyOf(item));
    if (result.some(matches)) result = result.map((other) => (matches(other) ? strategicMerge(other, item) : other));
    else result = [...result, strategicMerge({}, item)];
  }
  return ordered(result, Array.isArray(target) ? target.map(keyOf) : [], named, keyOf);
}

/**
 * Items that the patch names stand in its order, the others in theirs. Another one comes first only if it did so before:
 * new items therefore come before all others that are left (apimachinery, mergeSortedSlice).
 */
function ordered(
  items: readonly unknown[],
  before: readonly unknown[],
  named: readonly unknown[],
  keyOf: (item: unknown) => unknown,
): unknown[] {
  const place = (item: unknown) => before.indexOf(keyOf(item));
  const others = items.filter((item) => !named.includes(keyOf(item)));
  const result: unknown[] = [];
  for (const key of new Set(named)) {
    for (const item of items.filter((each) => keyOf(each) === key)) {
      const index = others.findIndex((other) => place(other) > place(item));
      result.push(...others.splice(0, place(item) < 0 ? 0 : index < 0 ? others.length : index), item);
    }
  }
  return [...result, ...others];
}

/** The JSON merge patch that turns `from` into `to`; undefined when they are equal. Lists are replaced whole. */
export function mergePatchBetween(from: unknown, to: unknown): unknown {
  if (isObject(from) && isObject(to)) {
    const patch: Json = {};
    for (const key of Object.keys(from)) if (to[key] === undefined && from[key] !== undefined) patch[key] = null;
    for (const [key, value] of Object.entries(to)) {
      if (value === undefined) continue;
      const inner = mergePatchBetween(from[key], value);
      if (inner !== undefined) patch[key] = inner;
    }
    return Object.keys(patch).length === 0 ? undefined : patch;
  }
  return JSON.stringify(from) === JSON.stringify(to) ? undefined : to;
}

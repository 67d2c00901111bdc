type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const AGE = /^(\d+[smhdy])+$/;

/** Versions in sentences: what the sentence says stays, the number is one of many. */
const SENTENCES: readonly [RegExp, string][] = [
  [/Too large resource version: \d+, current: \d+/g, 'Too large resource version: N, current: N'],
  [/too old resource version: \d+ \(\d+\)/g, 'too old resource version: N (N)'],
  [/(ResourceVersion in (?:the )?(?:precondition|record)) \(\d+\)/gi, '$1 (N)'],
  // A refused patch repeats the whole object.
  [/Invalid value: "\{.*\}": /gs, 'Invalid value: "{…}": '],
  [/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-#####'],
  [/ResourceVersion in precondition: \d+, ResourceVersion in object meta: \d+/g, 'ResourceVersion in precondition: N'],
];

export interface Run {
  namespace: string;
  /** Whether who owns which field is compared too. */
  managedFields?: boolean;
  /** Whether controllers and nodes had their hands in it: addresses, names of nodes, and how far a pull has come. */
  controllers?: boolean;
}

const NODES: readonly [RegExp, string][] = [
  [/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b(:\d+)?/g, 'ADDRESS'],
  // A revision is a hash of how Go prints a template.
  [/\b(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, 'HASH'],
  [/\b(node-[a-z]|worker-\d+)\b/g, 'NODE'],
  [/ImagePullBackOff - Back-off pulling image "[^"]*": ErrImagePull: /g, 'ErrImagePull - '],
];

/** An answer without what differs between two runs: namespace, generated names, versions, uids, times, tokens, prose of columns. */
export function comparable(value: unknown, run: Run): unknown {
  if (typeof value === 'string') return comparableText(value, run);
  if (Array.isArray(value)) return value.filter((item) => !isMereBookmark(item)).map((item) => comparable(item, run));
  if (!isFields(value)) return value;
  const result: Fields = {};
  for (const [key, child] of Object.entries(value)) {
    if (key === 'managedFields' && run.managedFields !== true) continue;
    if (key === 'managedFields' && Array.isArray(child)) result[key] = comparable(sortedManagers(child), run);
    else if (/^(nonR|r)esourceRules$/.test(key) && Array.isArray(child))
      result[key] = comparable(sortedRules(child), run);
    else if (key === 'resourceVersion') result[key] = /^[1-9]/.test(String(child)) ? 'VERSION' : child;
    else if (run.controllers && /^(updatedA|a)vailableReplicas$/.test(key)) result[key] = 'COUNT';
    else if (key === 'storageVersionHash') result[key] = 'HASH';
    else if (key === 'continue') result[key] = child === '' ? '' : 'TOKEN';
    else if (key === 'columnDefinitions') result[key] = comparable(withoutProse(child), run);
    else if (key === 'cells' && Array.isArray(child)) result[key] = child.map((cell) => comparableCell(cell, run));
    else result[key] = comparable(child, run);
  }
  return result.kind === 'Status' ? sortedCauses(result) : result;
}

/** A bookmark that announces nothing comes when the server likes. */
const isMereBookmark = (item: unknown): boolean =>
  isFields(item) && item.type === 'BOOKMARK' && !JSON.stringify(item).includes('initial-events-end');

/** The server looks at fields in no particular order. */
function sortedCauses(status: Fields): Fields {
  const { details, message } = status;
  if (!isFields(details) || !Array.isArray(details.causes) || typeof message !== 'string') return status;
  const causes = details.causes
    .map((cause: Fields) => ({ cause, text: `${cause.field}: ${cause.message}` }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
  const texts = [...new Set(causes.map(({ text }) => text))];
  const start = message.indexOf(': [') + 2;
  const listed = texts.length > 1 && texts.every((text) => message.includes(text, start));
  return {
    ...status,
    message: listed ? `${message.slice(0, start)}[${texts.join(', ')}]` : message,
    details: { ...details, causes: causes.map(({ cause }) => cause) },
  };
}

/** Entries of one second are in no order that says anything. */
const sortedManagers = (entries: readonly Fields[]) =>
  entries.map(({ time: _time, ...entry }) => entry).sort((a, b) => (whose(a) < whose(b) ? -1 : 1));

/** Rules add up, in whatever order. */
const sortedRules = (rules: readonly Fields[]) => [...rules].sort((a, b) => (whatFor(a) < whatFor(b) ? -1 : 1));

const whatFor = (rule: Fields) => JSON.stringify(Object.entries(rule).sort());

const whose = ({ operation, manager, subresource }: Fields) => `${operation} ${manager} ${subresource}`;

function comparableText(text: string, { namespace, controllers }: Run): string {
  let result = text.replaceAll(namespace, 'NS').replace(UUID, 'UID').replace(TIME, 'TIME');
  for (const [pattern, replacement] of SENTENCES) result = result.replace(pattern, replacement);
  if (controllers) for (const [pattern, replacement] of NODES) result = result.replace(pattern, replacement);
  return result;
}

const comparableCell = (cell: unknown, run: Run) =>
  typeof cell === 'string' && AGE.test(cell) ? 'AGE' : comparable(cell, run);

function withoutProse(columns: unknown): unknown {
  if (!Array.isArray(columns)) return columns;
  return columns.map((column) => {
    const { description: _prose, ...rest } = column as Fields;
    return rest;
  });
}

/** Where two answers differ, each with what was expected and what came. */
export function differences(expected: unknown, got: unknown, path = ''): string[] {
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    return expected.flatMap((item, index) => differences(item, got[index], `${path}[${index}]`));
  }
  if (isFields(expected) && isFields(got)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(got)])];
    return keys.flatMap((key) => differences(expected[key], got[key], path === '' ? key : `${path}.${key}`));
  }
  if (Object.is(expected, got)) return [];
  const [left, right] = [expected, got].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
  return left === right ? [] : [`${path || 'answer'}: expected ${left}, got ${right}`];
}

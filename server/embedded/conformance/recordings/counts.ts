// Numbers that may be stale (T20), or go up and down within the time of one look.
const momentary = new Set(['count updatedReplicas', 'count updatedAvailableReplicas']);
const fleeting = 'count updatingReplicas';

/** How a sequence of that name is compared: facts one by one, numbers by where they turn round. */
export function compared(name: string, values: string[]): string[] {
  if (!name.startsWith('count ')) return values;
  if (name === fleeting) return [values[0] ?? '', values.at(-1) ?? ''];
  if (name.includes(' of generation ')) return range(values);
  return momentary.has(name) ? extremes(values) : turningPoints(values);
}

const size = (value: string | undefined): number => (value === 'absent' ? -1 : Number(value));

/**
 * First, last, and every value at which a count turned round: how many steps lie between depends on how much one look saw at once.
 * "absent" counts as less than 0.
 */
function turningPoints(values: string[]): string[] {
  const distinct = values.filter((value, i) => value !== values[i - 1]);
  return distinct.filter((value, i) => {
    if (i === 0 || i === distinct.length - 1) return true;
    return Math.sign(size(value) - size(distinct[i - 1])) !== Math.sign(size(distinct[i + 1]) - size(value));
  });
}

/** First, highest and last. */
function extremes(values: string[]): string[] {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return [];
  const highest = values.reduce((a, b) => (size(b) > size(a) ? b : a));
  return [first, highest, last];
}

/** First, lowest, highest and last: whether two members came or went in one look or in two is chance. */
function range(values: string[]): string[] {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return [];
  const sorted = [...values].sort((a, b) => size(a) - size(b));
  return [`first ${first}`, `lowest ${sorted[0]}`, `highest ${sorted.at(-1)}`, `last ${last}`];
}

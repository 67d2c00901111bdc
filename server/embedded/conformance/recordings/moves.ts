import type { Counts } from './counts';

const moves: Record<Counts['kind'], Record<string, [up: string, down: string]>> = {
  sandboxsets: {
    replicas: ['created', 'lost'],
    updated: ['counted as updated', 'no longer counted as updated'],
    updatedAvailable: ['counted as updated and available', 'no longer counted as updated and available'],
  },
  sandboxupdateops: {
    begun: ['begun', 'no longer begun'],
    updated: ['updated', 'no longer updated'],
    failed: ['failed', 'no longer failed'],
  },
  sandboxclaims: { claimed: ['claimed', 'no longer claimed'] },
};

/** How many members made which move in a story, the least that explains its numbers: `created 4`, `lost 2`. */
export function movesIn(story: Counts[]): string[] {
  return Object.entries(moves[story[0]?.kind ?? 'sandboxclaims']).flatMap(([name, [up, down]]) => {
    const values = story.flatMap(({ numbers }) => numberOf(numbers, name) ?? []);
    const steps = values.slice(1).map((value, i) => value - (values[i] ?? value));
    const sum = (sign: number) => steps.reduce((total, step) => total + Math.max(0, step * sign), 0);
    return [[up, sum(1)] as const, [down, sum(-1)] as const].flatMap(([move, times]) =>
      times === 0 ? [] : [`${move} ${times}`],
    );
  });
}

/** A number that is absent is 0; `undefined` is not known. */
function numberOf(numbers: Counts['numbers'], name: string): number | undefined {
  if (name === 'begun') return (numbers.updating ?? 0) + (numbers.updated ?? 0) + (numbers.failed ?? 0);
  const value = numbers[name];
  return value === undefined ? undefined : Math.max(0, value);
}

import fc from 'fast-check';
import { it } from 'vitest';
import { Storage } from '../core/storage';
import { startApiServer } from '../server';
import { type Command, HOLD } from './command';
import { Run } from './run';

/**
 * How many sequences are tried, and the seed of the first. `PROMISES_RUNS=2000 PROMISES_SEED=7 npx vitest run promises` is
 * the long form; a failure prints its seed, and the shortest sequence that still fails.
 */
const RUNS = Number(process.env.PROMISES_RUNS ?? 25);
const SEED = Number(process.env.PROMISES_SEED ?? 1);

const name = fc.constantFrom('a', 'b', 'c');
const finalizers = fc.constantFrom<string[]>([], [HOLD]);
const labels = fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('x', 'y', null), { maxKeys: 2 });
const replicas = fc.integer({ min: 0, max: 3 });
/** What a writer says of the version that it has read. */
const basis = fc.constantFrom<'none' | 'current' | 'stale'>('none', 'none', 'none', 'current', 'stale');
const dryRun = fc.nat(5).map((n) => n === 0);

const patches = fc.record({ labels, finalizers, replicas }, { requiredKeys: [] });

const command: fc.Arbitrary<Command> = fc.record({
  do: fc.constantFrom<Command['do'][]>(
    ...([
      'create',
      'create',
      'create',
      'merge',
      'merge',
      'merge',
      'json',
      'status',
      'scale',
      'delete',
      'delete',
    ] as const),
    ...(['wrong', 'burst', 'pause', 'resume', 'resume', 'endWatches', 'compact'] as const),
  ),
  name,
  patch: patches,
  replicas,
  basis,
  dryRun,
});

it('keeps the promises of an API server', { timeout: 3_600_000 }, async () => {
  const scenario = fc.record({
    // A short history is forgotten while clients are away, without anybody compacting it.
    history: fc.constantFrom(2, 10_000),
    commands: fc.array(command, { maxLength: 40, size: 'max' }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ history, commands }) => {
      const server = await startApiServer({ storage: new Storage(history) });
      try {
        await new Run(server).all(commands);
      } finally {
        await server.close();
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

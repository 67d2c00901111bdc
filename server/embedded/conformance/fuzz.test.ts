import { expect, it } from 'vitest';
import { startApiServer } from '../apiserver/server';
import { fuzz } from './fuzz';

/** A fixed seed: what fails here fails again. `npm run conformance -- --only fuzz --seed N` tries others. */
const SEED = 1;

it('answers random requests well, and nothing is left of them', { timeout: 120_000 }, async () => {
  const server = await startApiServer({ anonymous: 'refused' });
  try {
    const results = await fuzz({ url: server.url, requests: 3_000, seed: SEED, compact: server.compact });
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  } finally {
    await server.close();
  }
});

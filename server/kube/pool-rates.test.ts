import { describe, expect, it } from 'vitest';
import { PoolRates } from './pool-rates';

describe('PoolRates', () => {
  it('tells what went on in the last minute beside the average of ten', () => {
    const rates = new PoolRates();
    rates.begin(0);
    for (let second = 0; second < 300; second += 10) {
      rates.count('demo/web', 'claims', second * 1000);
      rates.count('demo/web', 'refills', second * 1000);
    }
    for (let second = 300; second < 360; second += 10) rates.count('demo/web', 'claims', second * 1000);
    expect(rates.of('demo/web', 360_000)).toEqual({
      claimsPerMin: 6,
      refillsPerMin: 5,
      claimsLastMin: 5,
      refillsLastMin: 0,
    });
  });
});

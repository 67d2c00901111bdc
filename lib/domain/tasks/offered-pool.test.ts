import { expect, it } from 'vitest';
import { pool, sandbox } from '../../live/testing';
import { standardLimits } from '../limits';
import { poolViews } from '../pool-views';
import { offeredPool } from './offered-pool';

const images = (image: string) => ({ images: [{ name: 'sandbox', image }] });
const pools = [
  { ...pool('a', 1), name: 'browser', ...images('registry.local/browser:1') },
  { ...pool('b', 1), name: 'python', ...images('registry.local/python-tools:3.13') },
  { ...pool('c', 1), name: 'shell', ...images('registry.local/shell:1') },
  { ...pool('d', 1), name: 'spare', ...images('registry.local/python-tools:3.13') },
];
/** Names of the pools' members that are ready, one a sandbox. */
const offered = (ready: readonly string[], last?: string) => {
  const members = ready.map((name, n) =>
    sandbox(`${n}`, { name: `${name}-${n}`, pool: name, idle: true, state: 'Available' }),
  );
  const views = poolViews(pools, members, Date.now(), standardLimits);
  return offeredPool(views, last === undefined ? undefined : { ns: 'demo', name: last })?.pool.name;
};

it('offers the pool that was used last, also when it is empty, as long as it is there', () => {
  expect(offered(['python', 'shell'], 'browser')).toBe('browser');
  expect(offered(['python', 'shell'], 'gone')).toBe('python');
});

it('offers one for Python that has something ready before a fuller one, and else the fullest', () => {
  expect(offered(['browser', 'browser', 'python'])).toBe('python');
  expect(offered(['browser', 'shell', 'shell'])).toBe('shell');
  expect(offered(['python', 'spare', 'spare', 'shell', 'shell', 'shell'])).toBe('spare');
});

it('offers the first by name where none has anything, and nothing where there is no pool', () => {
  expect(offered([])).toBe('browser');
  expect(offeredPool([], undefined)).toBeUndefined();
});

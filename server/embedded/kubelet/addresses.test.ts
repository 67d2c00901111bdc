import { isIPv4 } from 'node:net';
import { expect, it } from 'vitest';
import { AddressPool } from './addresses';

it('has a valid address for each of 50,000 Pods, none of them twice', () => {
  const pool = new AddressPool();
  const addresses = Array.from({ length: 50_000 }, (_, i) => pool.of(`uid-${i}`));
  expect(addresses.filter((address) => !isIPv4(address) || /\.(0|255)$/.test(address))).toEqual([]);
  expect(new Set(addresses).size).toBe(50_000);
  expect(pool.of('uid-7')).toBe(addresses[7]);
});

it('leaves alone what Pods of an earlier run have, and takes back what is released', () => {
  const pool = new AddressPool();
  const first = new AddressPool().of('other');
  pool.keep('earlier', first);
  expect(pool.of('new')).not.toBe(first);
  pool.release('earlier');
  const all = new Set(Array.from({ length: AddressPool.size - 1 }, (_, i) => pool.of(`uid-${i}`)));
  expect(all).toContain(first);
  expect(() => pool.of('one too many')).toThrow('No Pod address is free');
});

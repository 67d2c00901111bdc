import type { PoolView } from '../pool-views';
import { poolKey } from '../pools';

type PoolName = { ns: string; name: string };

const isReady = ({ stats }: PoolView) => stats.available > 0;
/** Nothing in a SandboxSet says which interpreters its image has: one that is named after Python has it, of others it is not known. */
const isForPython = ({ pool }: PoolView) => pool.images.some(({ image }) => /python/i.test(image));
const byName = (a: PoolView, b: PoolView) => (keyOf(a.pool) < keyOf(b.pool) ? -1 : 1);
const keyOf = ({ ns, name }: PoolName) => poolKey(ns, name);

/** Pools that can be claimed from, those that have something ready first. */
export const claimable = (views: readonly PoolView[]): PoolView[] =>
  views
    .filter(({ pool }) => pool.deleting === undefined)
    .toSorted((a, b) => Number(isReady(b)) - Number(isReady(a)) || byName(a, b));

/** The pool that a new task is offered: the one that was used last; else one that has sandboxes ready, first those for Python, then the fullest. */
export function offeredPool(views: readonly PoolView[], last: PoolName | undefined): PoolView | undefined {
  const pools = claimable(views);
  const again = last && pools.find(({ pool }) => keyOf(pool) === keyOf(last));
  const rank = (view: PoolView) => (isReady(view) && isForPython(view) ? 1 : 0);
  return again ?? pools.toSorted((a, b) => rank(b) - rank(a) || b.stats.available - a.stats.available)[0];
}

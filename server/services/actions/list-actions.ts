import 'server-only';
import type { PoolRow } from '@/lib/contracts/rows';
import type { RecentAction } from '@/lib/contracts/writes';
import { isObject } from '@/lib/domain/json-diff';
import type { Scope } from '../../access/scope';
import type { Audit, Intent } from '../../history/audit';
import { ok, type Result } from '../result';

/** The pool as the watch shows it. */
export type PoolOf = (namespace: string, name: string) => PoolRow | undefined;

/**
 * The console's last writes on pools that this person may see, newest first, failures included. Whether one whose answer
 * was lost has happened is looked up in what the watch shows now.
 */
export function listActions(
  { audit, poolOf }: { audit: Audit; poolOf: PoolOf },
  scope: Scope,
): Result<{ actions: RecentAction[] }> {
  audit.settle((intent) => {
    const pool = poolOf(intent.object.namespace, intent.object.name);
    return pool !== undefined && pool.uid === intent.object.uid && shows(pool, intent);
  });
  const actions = audit.recent().filter((a) => scope.maySee('sandboxsets', a.object.namespace));
  return ok({ actions });
}

const imagePath = /^spec\.containers\[([^\]]+)\]\.image$/;

/** The row holds the size and the images of main containers: a change of anything else cannot be told from it. */
function shows(pool: PoolRow, { action, before, after }: Intent): boolean {
  if (!isObject(after)) return false;
  if (action === 'scalePool') return after.replicas === pool.desired;
  const paths = new Set([...Object.keys(isObject(before) ? before : {}), ...Object.keys(after)]);
  return (
    paths.size > 0 &&
    [...paths].every((path) => {
      const name = imagePath.exec(path)?.[1];
      return name !== undefined && pool.images.some((image) => image.name === name && image.image === after[path]);
    })
  );
}

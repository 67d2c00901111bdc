import 'server-only';
import type { PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { RecentAction } from '@/lib/contracts/writes';
import { isObject } from '@/lib/domain/json-diff';
import type { Principal } from '../../access/principal';
import type { Scope } from '../../access/scope';
import type { Audit, Intent } from '../../history/audit';
import { ok, type Result } from '../result';

/** Objects as the watch shows them. */
export type Watched = {
  poolOf(namespace: string, name: string): PoolRow | undefined;
  upgradeOf(namespace: string, name: string): UpgradeRow | undefined;
  sandboxOf(namespace: string, name: string): SandboxRow | undefined;
};

const resourceOf: Readonly<Record<string, 'sandboxsets' | 'sandboxupdateops' | 'sandboxes'>> = {
  SandboxSet: 'sandboxsets',
  SandboxUpdateOps: 'sandboxupdateops',
  Sandbox: 'sandboxes',
  Cohort: 'sandboxes',
};

/** The cluster shows that something was claimed, with the console's own key, and not for whom. */
const taskActions: ReadonlySet<RecentAction['action']> = new Set(['runTask', 'cancelTask', 'releaseTask']);

/**
 * The console's last writes on what this person may see, newest first, failures included; of tasks, the person's own. Whether
 * one whose answer was lost has happened is looked up in what the watch shows now.
 */
export function listActions(
  { audit, principal, ...watched }: { audit: Audit; principal: Pick<Principal, 'subject'> } & Watched,
  scope: Scope,
): Result<{ actions: RecentAction[] }> {
  audit.settle((intent) => shows[intent.object.kind]?.(watched, intent) ?? false);
  const maySee = ({ kind, namespace }: RecentAction['object']) => {
    // By these everybody's pages judge.
    if (kind === 'Limits') return true;
    const resource = resourceOf[kind];
    return resource !== undefined && scope.maySee(resource, namespace);
  };
  const isOwn = ({ action, actor }: RecentAction) => !taskActions.has(action) || actor === principal.subject;
  return ok({ actions: audit.recent().filter((each) => maySee(each.object) && isOwn(each)) });
}

const imagePath = /^spec\.containers\[([^\]]+)\]\.image$/;

/** The row holds the size and the images of main containers: a change of anything else cannot be told from it. */
function poolShows({ poolOf }: Watched, { action, object, before, after }: Intent): boolean {
  const pool = poolOf(object.namespace, object.name);
  if (pool?.uid !== object.uid || !isObject(after)) return false;
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

/** One of the name may be anybody's, so a create is never told from it. */
function upgradeShows({ upgradeOf }: Watched, { action, object, after }: Intent): boolean {
  const upgrade = upgradeOf(object.namespace, object.name);
  if (action === 'deleteUpgrade') return upgrade?.uid !== object.uid || upgrade.deleting !== undefined;
  if (upgrade?.uid !== object.uid || !isObject(after)) return false;
  if (action === 'changeUpgradeLimit') return after['spec.updateStrategy.maxUnavailable'] === upgrade.maxUnavailable;
  return 'spec.paused' in after && after['spec.paused'] === (upgrade.paused ?? false);
}

/** Pods and templates are in no row: whether those were changed cannot be told from it. */
function sandboxShows({ sandboxOf }: Watched, { action, object, after }: Intent): boolean {
  if (object.uid === '') return false;
  const sandbox = sandboxOf(object.namespace, object.name);
  const gone = sandbox?.uid !== object.uid;
  if (action === 'deleteSandbox') return gone || sandbox.deleting !== undefined;
  if (action === 'removeFinalizer') return gone;
  if (gone || !isObject(after)) return false;
  if ('spec.paused' in after) return after['spec.paused'] === (sandbox.paused ?? false);
  if ('spec.shutdownTime' in after) return sameTime(after['spec.shutdownTime'], sandbox.shutdownAt);
  return 'spec.pauseTime' in after && sameTime(after['spec.pauseTime'], sandbox.pauseAt);
}

const sameTime = (wanted: unknown, at: number | undefined) =>
  wanted === null ? at === undefined : typeof wanted === 'string' && Date.parse(wanted) === at;

const shows: Readonly<Record<string, (watched: Watched, intent: Intent) => boolean>> = {
  SandboxSet: poolShows,
  SandboxUpdateOps: upgradeShows,
  Sandbox: sandboxShows,
};

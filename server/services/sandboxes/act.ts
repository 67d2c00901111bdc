import 'server-only';
import type {
  SandboxActionReply,
  SandboxActionRequest,
  SandboxChange,
  SandboxOutcome,
  SandboxTarget,
} from '@/lib/contracts/sandbox-writes';
import type { Receipt } from '@/lib/contracts/writes';
import { isObject } from '@/lib/domain/json-diff';
import { log } from '../../log';
import { inParallel } from '../../parallel';
import type { ServiceContext } from '../context';
import { type Failure, ok, type Result, refuse } from '../result';
import { changeImages } from './change-images';
import { deletePod } from './delete-pod';
import { deleteSandbox } from './delete-sandbox';
import { pauseSandbox } from './pause-sandbox';
import { removeFinalizer } from './remove-finalizer';
import { resumeSandbox } from './resume-sandbox';
import { setDeadline } from './set-deadline';
import type { How } from './write';

const atOnce = 8;
type Told = Omit<SandboxOutcome, 'ns' | 'name' | 'uid'>;

/**
 * One change for one or several sandboxes, by the uids that the person saw; one outcome each. With `stop` they go one after the
 * other, so that nothing happens after the first that failed or whose answer was lost. A dry run asks about all of them.
 */
export async function actOnSandboxes(
  ctx: ServiceContext,
  { items, change, dryRun, reason, onFailure }: SandboxActionRequest,
): Promise<Result<SandboxActionReply>> {
  const stops = onFailure === 'stop' && !dryRun;
  const outcomes = new Map<SandboxTarget, Told>();
  let stopped = false;
  await inParallel(stops ? 1 : atOnce, items, async (item) => {
    const told: Told = stopped ? { result: 'skipped' } : await guarded(ctx, item, change, { dryRun, reason });
    outcomes.set(item, told);
    if (stops && (told.result === 'refused' || told.result === 'unknown')) stopped = true;
  });
  return ok({
    time: ctx.now(),
    items: items.map((item) => {
      const { ns, name, uid } = item;
      return { ns, name, uid, ...(outcomes.get(item) ?? { result: 'skipped' as const }) };
    }),
  });
}

/** A fault of the program is the outcome of one sandbox: the others keep theirs. */
async function guarded(ctx: ServiceContext, item: SandboxTarget, change: SandboxChange, how: How): Promise<Told> {
  try {
    return await actOn(ctx, item, change, how);
  } catch (err) {
    log.error({ key: 'sandboxes.fault', requestId: ctx.requestId, action: change.action, err });
    return failed(refuse('internal', 'fault', {}, { applied: how.dryRun ? 'no' : 'unknown' }).problem);
  }
}

async function actOn(ctx: ServiceContext, item: SandboxTarget, change: SandboxChange, how: How): Promise<Told> {
  switch (change.action) {
    case 'pauseSandbox':
      return outcomeOf(await pauseSandbox(ctx, item, how));
    case 'resumeSandbox':
      return outcomeOf(await resumeSandbox(ctx, item, change, how));
    case 'setDeadline':
      return outcomeOf(await setDeadline(ctx, item, change, how));
    case 'deletePod':
      return outcomeOf(await deletePod(ctx, item, how));
    case 'changeImages':
      return change.thenDeletePod
        ? replaceByImages(ctx, item, change.images, how)
        : outcomeOf(await changeImages(ctx, item, change.images, how));
    case 'deleteSandbox':
      return outcomeOf(await deleteSandbox(ctx, item, how));
    case 'removeFinalizer':
      return outcomeOf(await removeFinalizer(ctx, item, change.finalizer, how));
  }
}

/** First the template, then the Pod that is to be made from it. Whether the Pod can go is asked before anything is written. */
async function replaceByImages(
  ctx: ServiceContext,
  item: SandboxTarget,
  images: Extract<SandboxChange, { action: 'changeImages' }>['images'],
  how: How,
): Promise<Told> {
  const may = await deletePod(ctx, item, { dryRun: true });
  if (!may.ok) return failed({ ...may.problem, applied: 'no' });
  const template = await changeImages(ctx, item, images, how);
  if (!template.ok) return failed(template.problem);
  const receipt = template.value;
  if (how.dryRun) return { result: 'accepted', receipt, podReceipt: may.value };
  const podUid = podUidOf(may.value);
  const pod = await deletePod(ctx, { ...item, ...(podUid === undefined ? {} : { podUid }) }, how);
  return pod.ok ? { result: 'accepted', receipt, podReceipt: pod.value } : { ...failed(pod.problem), receipt };
}

const podUidOf = ({ before }: Receipt) =>
  isObject(before) && typeof before.podUid === 'string' ? before.podUid : undefined;

const outcomeOf = (result: Result<Receipt>): Told =>
  result.ok
    ? { result: result.value.changed ? 'accepted' : 'unchanged', receipt: result.value }
    : failed(result.problem);

const failed = (problem: Failure): Told => ({
  result: problem.applied === 'unknown' ? 'unknown' : 'refused',
  problem,
});

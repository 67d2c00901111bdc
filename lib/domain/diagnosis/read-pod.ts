import type { ImagePair, PodDigest, WaitingFact } from '../facts';
import { imagesEqual } from '../images';
import { compact, controllerOf, imagesOf, integer, type Json, list, metaOf, record, text } from '../read';
import { evidence } from '../text';
import { parseTime } from '../time';
import { isImageReason } from '../waiting-reasons';
import { pinnedNames } from './next-pod';

/** What the rules read of a Pod, and nothing else: the console keeps one per Pod. */
export function digestPod(object: unknown): PodDigest | undefined {
  const meta = metaOf(object);
  if (!meta) return undefined;
  const spec = record(record(object).spec);
  const status = record(record(object).status);
  const ready = conditionStatus(status, 'Ready');
  const scheduled = conditionStatus(status, 'PodScheduled');
  const init = list(status.initContainerStatuses).map(record);
  const main = list(status.containerStatuses).map(record);
  const finalizers = list(record(record(object).metadata).finalizers).filter((name) => typeof name === 'string');
  const pairs = differingInitImages(spec, init);
  const pinned = pinnedNames(imagesOf(spec.initContainers));
  return compact<PodDigest>({
    uid: meta.uid,
    ns: meta.ns,
    name: meta.name,
    phase: text(status.phase) ?? '',
    reason: text(status.reason),
    node: text(spec.nodeName),
    ip: text(status.podIP),
    created: meta.created,
    deleting: meta.deleting,
    finalizers: finalizers.length > 0 ? finalizers : undefined,
    ownerUid: controllerOf(object)?.uid,
    ready: ready.value,
    scheduled: scheduled.value,
    scheduledAt: scheduled.value ? scheduled.at : undefined,
    startedAt: startOf(main),
    unschedulable: scheduled.value === false ? evidence(scheduled.message) : undefined,
    waiting: firstWaiting(init, spec.initContainers, true) ?? firstWaiting(main, spec.containers, false),
    restarts: restartsOf(init) + restartsOf(main),
    pinned: pinned.length > 0 ? pinned : undefined,
    initImages: pairs.length > 0 ? pairs : undefined,
  });
}

interface PodCondition {
  value?: boolean | undefined;
  message?: string | undefined;
  at?: number | undefined;
}

function conditionStatus(status: Json, type: string): PodCondition {
  for (const entry of list(status.conditions)) {
    const condition = record(entry);
    if (condition.type !== type) continue;
    const value = condition.status === 'True' ? true : condition.status === 'False' ? false : undefined;
    return { value, message: text(condition.message), at: parseTime(condition.lastTransitionTime) };
  }
  return {};
}

/** Start of the first main container, which is when the Pod began to run; one that was restarted does not say it any more. */
function startOf(statuses: readonly Json[]): number | undefined {
  if (restartsOf(statuses) > 0) return undefined;
  const starts = statuses
    .map(({ state }) => parseTime(record(record(state).running).startedAt))
    .filter((at) => at !== undefined);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

function firstWaiting(statuses: readonly Json[], containers: unknown, init: boolean): WaitingFact | undefined {
  for (const status of statuses) {
    const waiting = record(record(status.state).waiting);
    const reason = text(waiting.reason);
    if (reason === undefined) continue;
    return compact<WaitingFact>({
      container: text(status.name) ?? '',
      init,
      reason,
      message: evidence(text(waiting.message)),
      image: isImageReason(reason) ? imageOf(containers, status.name) : undefined,
    });
  }
  return undefined;
}

const imageOf = (containers: unknown, name: unknown): string | undefined =>
  text(
    list(containers)
      .map(record)
      .find((container) => container.name === name)?.image,
  );

function restartsOf(statuses: readonly Json[]): number {
  return statuses.reduce((sum, status) => sum + (integer(status.restartCount) ?? 0), 0);
}

/** The comparison of the resume gate (domain 4.5), for every init container of the spec. */
function differingInitImages(spec: Json, statuses: readonly Json[]): ImagePair[] {
  return list(spec.initContainers).flatMap((entry) => {
    const container = text(record(entry).name) ?? '';
    const wanted = text(record(entry).image) ?? '';
    const status = statuses.find(({ name }) => name === container);
    const reported = text(status?.image);
    if (reported !== undefined && imagesEqual(wanted, reported)) return [];
    return [compact<ImagePair>({ container, spec: wanted, status: reported })];
  });
}

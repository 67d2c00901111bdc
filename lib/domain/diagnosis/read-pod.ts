import type { ImagePair, PodDigest, WaitingFact } from '../facts';
import { imagesEqual } from '../images';
import { compact, controllerOf, integer, type Json, list, metaOf, record, text } from '../read';
import { evidence } from '../text';

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
    unschedulable: scheduled.value === false ? evidence(scheduled.message) : undefined,
    waiting: firstWaiting(init, true) ?? firstWaiting(main, false),
    restarts: restartsOf(init) + restartsOf(main),
    initImages: pairs.length > 0 ? pairs : undefined,
  });
}

function conditionStatus(status: Json, type: string): { value: boolean | undefined; message: string | undefined } {
  for (const entry of list(status.conditions)) {
    const condition = record(entry);
    if (condition.type !== type) continue;
    const value = condition.status === 'True' ? true : condition.status === 'False' ? false : undefined;
    return { value, message: text(condition.message) };
  }
  return { value: undefined, message: undefined };
}

function firstWaiting(statuses: readonly Json[], init: boolean): WaitingFact | undefined {
  for (const status of statuses) {
    const waiting = record(record(status.state).waiting);
    const reason = text(waiting.reason);
    if (reason === undefined) continue;
    return compact<WaitingFact>({
      container: text(status.name) ?? '',
      init,
      reason,
      message: evidence(text(waiting.message)),
    });
  }
  return undefined;
}

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

import 'server-only';
import type { PoolRow } from '@/lib/contracts/rows';
import { type InitImage, pinnedNames } from '@/lib/domain/diagnosis/next-pod';
import { conditionsOf } from '@/lib/domain/diagnosis/read-sandbox';
import { isTrue } from '@/lib/domain/facts';
import { compact, flag, imagesOf, integer, intOrPercent, list, metaOf, record, text } from '@/lib/domain/read';
import { evidence } from '@/lib/domain/text';
import { parseTime } from '@/lib/domain/time';

/** The row of a pool with what the SandboxTemplate that it refers to pins by digest; null: there is none. */
export function withReferenced(row: PoolRow, referenced: readonly InitImage[] | null | undefined): PoolRow {
  if (row.templateRef === undefined) return row;
  if (referenced === null) return { ...row, templateMissing: true };
  const pinned = pinnedNames(referenced ?? []);
  return pinned.length > 0 ? { ...row, digestPinned: pinned } : row;
}

/** When anything but the status was written last, as long as managedFields are there: the spec is no younger. */
export function specWrittenAt(object: unknown): number | undefined {
  const times = list(record(record(object).metadata).managedFields)
    .map(record)
    .filter(({ subresource }) => subresource !== 'status')
    .flatMap(({ time }) => parseTime(time) ?? []);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/** The row of a SandboxSet, without what only watching tells (rates, who scaled when). */
export function projectPool(object: unknown): PoolRow | undefined {
  const meta = metaOf(object);
  if (!meta) return undefined;
  const spec = record(record(object).spec);
  const status = record(record(object).status);
  const podSpec = record(record(spec.template).spec);
  const templateRef = text(record(spec.templateRef).name);
  const pinned = pinnedNames(imagesOf(podSpec.initContainers));
  const limited = conditionsOf(status.conditions).ScalingLimited;
  const runtimes = list(spec.runtimes).flatMap((entry) => text(record(entry).name) ?? []);
  return compact<PoolRow>({
    uid: meta.uid,
    ns: meta.ns,
    name: meta.name,
    gen: meta.generation,
    obs: integer(status.observedGeneration),
    desired: integer(spec.replicas) ?? 0,
    replicas: integer(status.replicas),
    available: integer(status.availableReplicas),
    updated: integer(status.updatedReplicas),
    updatedAvailable: integer(status.updatedAvailableReplicas),
    revision: text(status.updateRevision),
    template: text(status.currentRevision),
    templateRef,
    images: imagesOf(podSpec.containers),
    digestPinned: pinned.length > 0 ? pinned : undefined,
    scalingLimited: isTrue(limited) ? (evidence(limited?.message) ?? limited?.reason ?? 'True') : undefined,
    noTemplate: flag(templateRef === undefined && typeof spec.template !== 'object'),
    scaleMax: intOrPercent(record(spec.scaleStrategy).maxUnavailable),
    updateMax: intOrPercent(record(spec.updateStrategy).maxUnavailable),
    runtimes: runtimes.length > 0 ? runtimes : undefined,
    created: meta.created,
    deleting: meta.deleting,
  });
}

import 'server-only';
import type { PoolRow } from '@/lib/contracts/rows';
import { isDigestPinned } from '@/lib/domain/images';
import { compact, flag, imagesOf, integer, intOrPercent, list, metaOf, record, text } from '@/lib/domain/read';

/** The row of a SandboxSet, without what only watching tells (rates, who scaled when). */
export function projectPool(object: unknown): PoolRow | undefined {
  const meta = metaOf(object);
  if (!meta) return undefined;
  const spec = record(record(object).spec);
  const status = record(record(object).status);
  const podSpec = record(record(spec.template).spec);
  const templateRef = text(record(spec.templateRef).name);
  const pinned = imagesOf(podSpec.initContainers).filter(({ image }) => isDigestPinned(image));
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
    digestPinned: pinned.length > 0 ? pinned.map(({ name }) => name) : undefined,
    noTemplate: flag(templateRef === undefined && typeof spec.template !== 'object'),
    scaleMax: intOrPercent(record(spec.scaleStrategy).maxUnavailable),
    updateMax: intOrPercent(record(spec.updateStrategy).maxUnavailable),
    runtimes: runtimes.length > 0 ? runtimes : undefined,
    created: meta.created,
    deleting: meta.deleting,
  });
}

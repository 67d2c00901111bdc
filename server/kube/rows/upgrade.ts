import 'server-only';
import type { UpgradeRow } from '@/lib/contracts/rows';
import {
  compact,
  flag,
  imagesOf,
  integer,
  intOrPercent,
  type Json,
  list,
  metaOf,
  record,
  text,
} from '@/lib/domain/read';
import { parseTime } from '@/lib/domain/time';
import { rollsBackAnnotation } from '@/lib/domain/upgrades/manifest';
import { selectorText } from '@/lib/domain/upgrades/selectors';

const protection = 'agents.kruise.io/sandboxupdateops-protection';

/** The row of a SandboxUpdateOps. `changedAt` is the last write of its status, as long as managedFields are there. */
export function projectUpgrade(object: unknown): UpgradeRow | undefined {
  const meta = metaOf(object);
  if (!meta) return undefined;
  const metadata = record(record(object).metadata);
  const spec = record(record(object).spec);
  const status = record(record(object).status);
  const strategy = record(spec.updateStrategy);
  const images = imagesOf(record(record(spec.patch).spec).containers);
  const lifecycle = record(spec.lifecycle);
  const hooks = (['preUpgrade', 'postUpgrade'] as const).filter((hook) => isPresent(lifecycle[hook]));
  const states = list(record(spec.stateFilter).states).filter((state) => typeof state === 'string');
  return compact<UpgradeRow>({
    uid: meta.uid,
    ns: meta.ns,
    name: meta.name,
    gen: meta.generation,
    obs: integer(status.observedGeneration),
    phase: text(status.phase) ?? '',
    total: integer(status.replicas),
    updated: integer(status.updatedReplicas),
    updating: integer(status.updatingReplicas),
    failed: integer(status.failedReplicas),
    strategy: text(strategy.type) ?? 'Recreate',
    maxUnavailable: intOrPercent(strategy.maxUnavailable),
    paused: flag(spec.paused === true),
    selector: selectorText(selectorOf(record(spec.selector))),
    states: states.length > 0 ? states : undefined,
    images: images.length > 0 ? images : undefined,
    hasPatch: isPresent(spec.patch),
    hooks: hooks.length > 0 ? hooks : undefined,
    rollsBack: text(meta.annotations[rollsBackAnnotation]),
    taken: list(metadata.finalizers).includes(protection),
    changedAt: statusWrittenAt(metadata),
    created: meta.created,
    deleting: meta.deleting,
  });
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function statusWrittenAt(metadata: Json): number | undefined {
  const times = list(metadata.managedFields)
    .map(record)
    .filter(({ subresource }) => subresource === 'status')
    .flatMap(({ time }) => parseTime(time) ?? []);
  return times.length > 0 ? Math.max(...times) : undefined;
}

function selectorOf(selector: Json): Parameters<typeof selectorText>[0] {
  return {
    matchLabels: Object.fromEntries(Object.entries(record(selector.matchLabels)).map(([key, v]) => [key, String(v)])),
    matchExpressions: list(selector.matchExpressions).map((entry) => {
      const { key, operator, values } = record(entry);
      return { key: text(key) ?? '', operator: String(operator), values: list(values).map(String) };
    }),
  };
}

import 'server-only';
import type { ClaimRow, NamespaceRow, NodeRow } from '@/lib/contracts/rows';
import { parseQuantity } from '@/lib/domain/quantities';
import { compact, flag, integer, list, metaOf, record, text } from '@/lib/domain/read';
import { evidence } from '@/lib/domain/text';
import { parseTime } from '@/lib/domain/time';

export function projectClaim(object: unknown): ClaimRow | undefined {
  const meta = metaOf(object);
  if (!meta) return undefined;
  const spec = record(record(object).spec);
  const status = record(record(object).status);
  return compact<ClaimRow>({
    uid: meta.uid,
    ns: meta.ns,
    name: meta.name,
    pool: text(spec.templateName) ?? '',
    phase: text(status.phase) ?? '',
    // The schema's default (domain 1.4); only an object from a file can lack it.
    desired: integer(spec.replicas) ?? 1,
    claimed: integer(status.claimedReplicas),
    message: evidence(text(status.message)),
    started: parseTime(status.claimStartTime),
    completed: parseTime(status.completionTime),
    created: meta.created,
    deleting: meta.deleting,
  });
}

export function projectNode(object: unknown): NodeRow | undefined {
  const meta = metaOf(object);
  if (!meta) return undefined;
  const status = record(record(object).status);
  const ready = list(status.conditions)
    .map(record)
    .find(({ type }) => type === 'Ready')?.status;
  const allocatable = record(status.allocatable);
  const cpu = parseQuantity(allocatable.cpu);
  return compact<NodeRow>({
    uid: meta.uid,
    name: meta.name,
    // Unknown is what a node's status turns to when its kubelet is silent: not ready.
    ready: typeof ready === 'string' ? ready === 'True' : undefined,
    cordoned: flag(record(record(object).spec).unschedulable === true),
    cpu: cpu === undefined ? undefined : Math.round(cpu * 1000),
    memory: parseQuantity(allocatable.memory),
  });
}

export function projectNamespace(object: unknown): NamespaceRow | undefined {
  const meta = metaOf(object);
  return meta && { uid: meta.uid, name: meta.name };
}

import 'server-only';
import type { ClaimRow, NamespaceRow, NodeRow } from '@/lib/contracts/rows';
import { evidence } from '@/lib/domain/text';
import { parseTime } from '@/lib/domain/time';
import { compact, flag, integer, list, metaOf, record, text } from './read';

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
  const cpu = quantity(allocatable.cpu);
  return compact<NodeRow>({
    uid: meta.uid,
    name: meta.name,
    // Unknown is what a node's status turns to when its kubelet is silent: not ready.
    ready: typeof ready === 'string' ? ready === 'True' : undefined,
    cordoned: flag(record(record(object).spec).unschedulable === true),
    cpu: cpu === undefined ? undefined : Math.round(cpu * 1000),
    memory: quantity(allocatable.memory),
  });
}

export function projectNamespace(object: unknown): NamespaceRow | undefined {
  const meta = metaOf(object);
  return meta && { uid: meta.uid, name: meta.name };
}

const suffixes: Record<string, number | undefined> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity as a number: "500m" is 0.5, "1Gi" is 1073741824. */
function quantity(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const match = typeof value === 'string' ? /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(value) : null;
  const factor = suffixes[match?.[2] ?? ''];
  const number = Number(match?.[1]);
  return match && factor !== undefined && Number.isFinite(number) ? number * factor : undefined;
}

import type { PlanProblem } from '@/lib/contracts/upgrade-preview';
import { isObject, sameJson } from '../json-diff';
import type { Template } from '../templates';
import { planProblem } from './plan-problem';
import { podFaults } from './pod-faults';
import type { Classified } from './targets';

/** A template may have many faults at once; the first ones are enough to go on. */
const shownFaults = 8;

/** Targets whose Pods the API server will refuse: each distinct template is looked at once. */
export function* refusedPods({ groups, targets, readings }: Classified): Generator<PlanProblem> {
  const found = groups.map((group) => {
    const members = targets.filter((target) => target.group === group.key);
    const claims = new Set(members.flatMap(({ uid }) => readings.get(uid)?.claims ?? []));
    return { members, faults: podFaults(group.before, group.after, [...claims]) };
  });
  const refused = found.filter(({ faults }) => faults.length > 0);
  if (refused.length === 0) return;
  const distinct = new Map(refused.flatMap(({ faults }) => faults).map((fault) => [JSON.stringify(fault), fault]));
  yield planProblem(
    'podRefused',
    'stops',
    refused.flatMap(({ members }) => members.map(({ name }) => name)),
    { faults: [...distinct.values()].slice(0, shownFaults) },
  );
}

/** Containers that the change adds to any of the templates. */
export function* addedContainers({ groups }: Classified): Generator<PlanProblem> {
  const added = new Set(
    groups.flatMap(({ before, after }) => {
      const known = new Set(containerNames(before));
      return containerNames(after).filter((name) => !known.has(name));
    }),
  );
  if (added.size > 0) yield planProblem('addsContainer', 'warns', [...added]);
}

function containerNames({ spec }: Template): string[] {
  if (!isObject(spec)) return [];
  const lists = [spec.containers, spec.initContainers].map((list) =>
    Array.isArray(list) ? list.filter(isObject) : [],
  );
  return lists.flat().map(({ name }) => String(name));
}

/**
 * Targets whose patched template differs in empty lists and maps only. The controller takes them as different and writes
 * what it does not write out: nothing changes, nothing begins, and they are updating for ever.
 */
export function hollowChanges({ groups, targets, readings }: Classified): string[] {
  const hollow = groups.filter(
    ({ before, after }) => !sameJson(before, after) && sameJson(withoutEmpty(before), withoutEmpty(after)),
  );
  const keys = new Set(hollow.map(({ key }) => key));
  return targets
    .filter(({ uid, group }) => keys.has(group) && readings.get(uid)?.phase !== 'Upgrading')
    .map(({ name }) => name);
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  // `emptyDir: {}` says what it is by being there; only fields of lists and of plain maps are left out when empty.
  return Object.fromEntries(
    kept.filter(([key, item]) => !(Array.isArray(item) && item.length === 0) && !isEmptyMap(key, item)),
  );
}

const omittedWhenEmpty = ['labels', 'annotations', 'nodeSelector', 'requests', 'limits', 'overhead'];

const isEmptyMap = (key: string, item: unknown): boolean =>
  omittedWhenEmpty.includes(key) && isObject(item) && Object.keys(item).length === 0;

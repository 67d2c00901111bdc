import { fieldsOf, isFields, type KubeObject, listOf, numberOf, textOf } from '../../core/objects';
import type { Column } from '../../tables/column';
import { AGE, column, NAME, WIDE } from '../../tables/column';
import { ageOf } from '../../tables/durations';
import { podSummary } from '../pods/summary';
import { OTHER_COLUMNS } from './other';

const NONE = '<none>';

const orNone = (text: string) => (text === '' ? NONE : text);

const nodeInfo = (field: string) => (node: KubeObject) => textOf(node, 'status', 'nodeInfo', field) || '<unknown>';

function nodeAddress(type: string) {
  return (node: KubeObject) =>
    orNone(
      textOf(
        listOf(node, 'status', 'addresses').find((address) => textOf(address, 'type') === type),
        'address',
      ),
    );
}

function nodeStatus(node: KubeObject): string {
  const ready = listOf(node, 'status', 'conditions').find((condition) => textOf(condition, 'type') === 'Ready');
  const words = [ready === undefined ? 'Unknown' : textOf(ready, 'status') === 'True' ? 'Ready' : 'NotReady'];
  if (fieldsOf(node, 'spec').unschedulable === true) words.push('SchedulingDisabled');
  return words.join(',');
}

const ROLE = 'node-role.kubernetes.io/';

function nodeRoles({ metadata }: KubeObject): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE)) return [key.slice(ROLE.length)];
    return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
  });
  return orNone(roles.sort().join(','));
}

function readinessGates(pod: KubeObject): string {
  const gates = listOf(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return NONE;
  const conditions = listOf(pod, 'status', 'conditions');
  const met = gates.filter((gate) =>
    conditions.some(
      (condition) =>
        textOf(condition, 'type') === textOf(gate, 'conditionType') && textOf(condition, 'status') === 'True',
    ),
  );
  return `${met.length}/${gates.length}`;
}

function eventSource(event: KubeObject): string {
  const component = textOf(event, 'source', 'component') || textOf(event, 'reportingComponent');
  const host = textOf(event, 'source', 'host') || textOf(event, 'reportingInstance');
  return [component, host].filter((part) => part !== '').join(', ');
}

function firstSeen(event: KubeObject, now: number): string {
  return ageOf(event.firstTimestamp ?? event.eventTime, now);
}

function lastSeen(event: KubeObject, now: number): string {
  const series = textOf(event, 'series', 'lastObservedTime');
  return series === '' ? ageOf(event.lastTimestamp ?? event.eventTime, now) : ageOf(series, now);
}

const countOf = (value: unknown) => (isFields(value) ? Object.keys(value).length : 0);

/** Columns of the built-in kinds, by the id of the kind. */
export const CORE_COLUMNS: Record<string, readonly Column[]> = {
  namespaces: [
    NAME,
    column('Status', 'The status of the namespace.', (object) => textOf(object, 'status', 'phase')),
    AGE,
  ],
  nodes: [
    NAME,
    column('Status', 'Whether the node is ready and takes pods.', nodeStatus),
    column('Roles', 'The roles of the node.', nodeRoles),
    AGE,
    column('Version', 'The version of the kubelet.', (node) => textOf(node, 'status', 'nodeInfo', 'kubeletVersion')),
    column('Internal-IP', 'Address inside the cluster.', nodeAddress('InternalIP'), WIDE),
    column('External-IP', 'Address outside the cluster.', nodeAddress('ExternalIP'), WIDE),
    column('OS-Image', 'Operating system.', nodeInfo('osImage'), WIDE),
    column('Kernel-Version', 'Version of the kernel.', nodeInfo('kernelVersion'), WIDE),
    column('Container-Runtime', 'Version of the container runtime.', nodeInfo('containerRuntimeVersion'), WIDE),
  ],
  pods: [
    NAME,
    column('Ready', 'Containers that are ready, of all.', (pod, now) => podSummary(pod, now).ready),
    column('Status', 'The status of the containers, summed up.', (pod, now) => podSummary(pod, now).status),
    column('Restarts', 'How often containers restarted, and when last.', (pod, now) => podSummary(pod, now).restarts),
    AGE,
    column('IP', 'Address of the pod.', (pod) => orNone(textOf(pod, 'status', 'podIP')), WIDE),
    column('Node', 'Node the pod runs on.', (pod) => orNone(textOf(pod, 'spec', 'nodeName')), WIDE),
    column(
      'Nominated Node',
      'Node the pod waits for.',
      (pod) => orNone(textOf(pod, 'status', 'nominatedNodeName')),
      WIDE,
    ),
    column('Readiness Gates', 'Further conditions that are met, of all.', readinessGates, WIDE),
  ],
  events: [
    column('Last Seen', 'Time since the event happened last.', lastSeen),
    column('Type', 'Normal or Warning.', (event) => textOf(event, 'type')),
    column('Reason', 'Why, in one word.', (event) => textOf(event, 'reason')),
    column('Object', 'What the event is about.', (event) => {
      const { kind, name } = fieldsOf(event, 'involvedObject');
      return [String(kind ?? '').toLowerCase(), String(name ?? '')].filter((part) => part !== '').join('/');
    }),
    column('Subobject', 'Part of the object.', (event) => textOf(event, 'involvedObject', 'fieldPath'), WIDE),
    column('Source', 'Component that reports the event.', eventSource, WIDE),
    column('Message', 'What happened.', (event) => textOf(event, 'message').trim()),
    column('First Seen', 'Time since the event happened first.', firstSeen, WIDE),
    column(
      'Count',
      'How often it happened.',
      (event) => numberOf(event, 'series', 'count') ?? (numberOf(event, 'count') || 1),
      WIDE,
    ),
    { ...NAME, priority: 1 },
  ],
  configmaps: [
    NAME,
    column('Data', 'Number of entries.', (object) => countOf(object.data) + countOf(object.binaryData)),
    AGE,
  ],
  secrets: [
    NAME,
    column('Type', 'Type of the secret.', (object) => textOf(object, 'type')),
    column('Data', 'Number of entries.', (object) => countOf(object.data)),
    AGE,
  ],
  'leases.coordination.k8s.io': [
    NAME,
    column('Holder', 'Who holds the lease.', (object) => textOf(object, 'spec', 'holderIdentity')),
    AGE,
  ],
  ...OTHER_COLUMNS,
};

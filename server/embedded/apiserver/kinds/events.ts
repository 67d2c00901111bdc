import { type Cause, invalidValue } from '../core/causes';
import type { KindRules } from '../core/kind-definition';
import { at, type Fields, type KubeObject, textOf } from '../core/objects';
import type { OtherShape } from '../core/shapes';

/** What events.k8s.io/v1 calls the fields of a core Event. */
const NAMES: Record<string, string> = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
};
const BACK = Object.fromEntries(Object.entries(NAMES).map(([core, events]) => [events, core]));

function renamed({ kind, apiVersion: _version, ...fields }: KubeObject, names: Record<string, string>, as: string) {
  const result: Fields = { kind, apiVersion: as };
  for (const [field, value] of Object.entries(fields)) result[names[field] ?? field] = value;
  return result as KubeObject;
}

/** A core Event with the fields that it has even when they say nothing. */
export function completeEvent(event: KubeObject): KubeObject {
  return {
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
    ...event,
  };
}

/** Events of events.k8s.io/v1 are the core ones under other names, without empty reporters. */
export const EVENTS_V1: OtherShape = {
  id: 'events',
  shown: (stored) => {
    const shown = renamed(stored, NAMES, 'events.k8s.io/v1');
    for (const field of ['reportingController', 'reportingInstance']) if (shown[field] === '') delete shown[field];
    return shown;
  },
  stored: (shown) => completeEvent(renamed(shown, BACK, 'v1')),
};

export const EVENT_RULES: KindRules = {
  names: 'path',
  normalize: completeEvent,
  validate: (object, _old, _part, causes) => validateEvent(object, causes),
  selected: (object, path) => (path === 'source' ? String(at(object, ['source', 'component']) ?? '') : undefined),
};

function validateEvent(object: KubeObject, causes: Cause[]): void {
  const namespace = textOf(object, 'involvedObject', 'namespace');
  if (namespace === (object.metadata.namespace ?? '') || (namespace === '' && object.metadata.namespace === 'default'))
    return;
  causes.push(invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace'));
}

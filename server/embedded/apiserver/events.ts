import type { Fields, KubeObject } from './objects';
import type { OtherShape } from './shapes';

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

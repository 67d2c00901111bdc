import { stableJson } from '../../controllers/rules/hashes';
import type { Recording, Seen, Step } from './recording';

// A step whose effect is not seen by then had none.
const effectSeconds = 2.5;

/** When the recording's API server had the write of a step: the first change of what a user decides. */
export function effectOf(
  { events }: Recording,
  step: Step,
  kind: string,
  name: string,
): { t: number; version: string } | undefined {
  const decided = (event: Seen | undefined) => {
    if (event === undefined || event.type === 'DELETED') return event?.type ?? '';
    const { labels, annotations, deletionTimestamp } = event.object.metadata;
    return stableJson([
      labels,
      annotations,
      deletionTimestamp,
      event.object.spec,
      /--subresource/.test(step.action) ? event.object.status : 0,
    ]);
  };
  let before: Seen | undefined;
  for (const event of events) {
    if (event.kind !== kind || event.object.metadata.name !== name) continue;
    if (event.t > step.t && event.t < step.t + effectSeconds && decided(event) !== decided(before))
      return { t: event.t, version: event.object.metadata.resourceVersion };
    before = event;
  }
  return undefined;
}

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortObjects } from './files';
import { verdictsText } from './text';
import { verdictsOf } from './verdicts';
import { kinds } from './world';

const anyThing = fc.anything({ withNullPrototype: false, maxDepth: 3 });

const condition = fc.record({ type: anyThing, status: anyThing, reason: anyThing, message: anyThing });

/** Shaped like Kubernetes where something reads it, and like nothing else below that. */
const anyObject = fc.record({
  kind: fc.constantFrom(...Object.values(kinds)),
  metadata: fc.record(
    {
      name: fc.constantFrom('a', 'b', 'web'),
      namespace: fc.constantFrom('one', 'two', null),
      uid: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('u1', 'u2', null) }, anyThing),
      labels: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, anyThing),
      annotations: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, anyThing),
      ownerReferences: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, anyThing),
      finalizers: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, anyThing),
      creationTimestamp: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(null, '2026-11-03T07:00:00Z') }, anyThing),
      deletionTimestamp: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(null, '2026-11-03T07:00:00Z') }, anyThing),
      managedFields: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, anyThing),
    },
    { requiredKeys: ['name'] },
  ),
  spec: fc.oneof(
    anyThing,
    fc.record({ template: anyThing, templateRef: anyThing, replicas: anyThing, selector: anyThing, patch: anyThing }),
  ),
  status: fc.oneof(
    anyThing,
    fc.record({
      phase: fc.oneof(fc.constantFrom('Running', 'Upgrading', 'Updating', 'Completed', 'Failed'), anyThing),
      conditions: fc.oneof(fc.array(condition), anyThing),
      initContainerStatuses: anyThing,
      containerStatuses: anyThing,
    }),
  ),
  involvedObject: anyThing,
  reason: anyThing,
});

it('whatever objects hold, there are verdicts, and text for them', () => {
  let verdicts = 0;
  fc.assert(
    fc.property(fc.array(anyObject, { maxLength: 8 }), fc.boolean(), (items, listed) => {
      const documents = listed ? [{ kind: 'List', items }] : items;
      const { objects, complete } = sortObjects(documents);
      const none = new Map<string, never>();
      const now = Date.parse('2026-11-03T08:00:00Z');
      const world = { objects, complete, observed: none, changed: none, below: none, scaled: none, now, skew: 0 };
      const all = verdictsOf(world);
      verdicts += all.length;
      expect(verdictsText(all)).not.toMatch(/\bundefined\b|\[object /);
    }),
    { numRuns: 500 },
  );
  expect(verdicts).toBeGreaterThan(200);
});

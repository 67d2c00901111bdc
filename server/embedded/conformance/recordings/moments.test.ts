import { expect, it } from 'vitest';
import { aboutControllers, momentsOf } from './moments';
import type { Recording, Step } from './recording';

const post = (t: number, name: string): Step => ({
  t,
  action: `POST sandboxsets ${name}`,
  stdin: JSON.stringify({ kind: 'SandboxSet', metadata: { name } }),
});
const created = (t: number, name: string, resourceVersion: string) => ({
  t,
  kind: 'sandboxsets',
  type: 'ADDED' as const,
  object: { metadata: { name, uid: name, resourceVersion } },
});
const actions = (steps: Step[], events: Recording['events'] = []): string[][] =>
  momentsOf({ name: 'own', start: 0, namespace: 'team-a', steps, events }).map((moment) =>
    moment.map(({ action }) => action),
  );

it('requests of one moment go together, in the order in which the API server took them', () => {
  const events = [created(1.1, 'b', '7'), created(1.1, 'a', '8')];
  expect(actions([post(1, 'a'), post(1.01, 'b'), post(2, 'c')], events)).toEqual([
    ['POST sandboxsets b', 'POST sandboxsets a'],
    ['POST sandboxsets c'],
  ]);
});

it('what a note tells is done, what only somebody else may do is not', () => {
  const note = (text: string): Step => ({ t: 1, action: 'note', note: text });
  expect(
    actions([
      note('scale of web to 3 through the subresource: accepted'),
      note('still Resuming'),
      { t: 2, action: 'kubectl delete pod solo --as alice' },
      note('controller stopped'),
    ]),
  ).toEqual([['kubectl scale sbs web --replicas 3'], ['note']]);
  expect(aboutControllers(note('controller stopped'))).toBe('stopped');
  expect(aboutControllers(note('still Resuming'))).toBeUndefined();
});

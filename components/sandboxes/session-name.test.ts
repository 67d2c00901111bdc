import { expect, it } from 'vitest';
import { sessionName } from './session-name';

const uuid = '376c0475-a95e-41f8-a5a5-378c0383142f';

it.each([
  [{ owner: 'team-atlas', claimName: 'run-8841' }, 'team-atlas/run-8841'],
  [{ owner: uuid, claimName: 'run-8841' }, 'run-8841'],
  [{ owner: uuid }, '376c0475…'],
  [{ owner: 'team-atlas' }, 'team-atlas'],
  [{ claimName: 'run-8841' }, 'run-8841'],
  [{}, undefined],
])('names %j', (row, name) => {
  expect(sessionName(row)).toBe(name);
});

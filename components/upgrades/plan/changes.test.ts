import { expect, it } from 'vitest';
import { changesOf } from './changes';

const template = (image: string, owner: string) => ({
  metadata: { labels: { owner } },
  spec: { containers: [{ name: 'main', image }] },
});
const group = (key: string, count: number, from: string, to: string) => ({
  key,
  count,
  sample: `box-${key}`,
  before: template(from, key),
  after: template(to, key),
});

it('counts templates that change alike as one, though their owners differ', () => {
  const changes = changesOf([group('a', 1, 'v1', 'v3'), group('b', 2, 'v2', 'v3'), group('c', 4, 'v1', 'v3')]);
  expect(changes.map(({ sample, count, templates }) => ({ sample, count, templates }))).toEqual([
    { sample: 'box-a', count: 5, templates: 2 },
    { sample: 'box-b', count: 2, templates: 1 },
  ]);
});

it('holds templates that stay as they are together', () => {
  expect(changesOf([group('a', 1, 'v1', 'v1'), group('b', 2, 'v2', 'v2')])).toHaveLength(1);
});

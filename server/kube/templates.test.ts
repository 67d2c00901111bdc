import { expect, it } from 'vitest';
import { Templates } from './templates';

const sandbox = (image: string, more: object = {}) => ({
  spec: { template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image }] }, ...more } },
});

it('tells equal templates by their text, whatever the order of keys', () => {
  const templates = new Templates();
  const one = templates.of(sandbox('a'), undefined);
  const other = templates.of(
    {
      spec: { template: { spec: { containers: [{ image: 'a', name: 'main' }] }, metadata: { labels: { app: 'x' } } } },
    },
    undefined,
  );
  expect(other?.text()).toBe(one?.text());
  expect(templates.of(sandbox('b'), one)?.text()).not.toBe(one?.text());
  expect(JSON.parse(one?.text() ?? '')).toEqual(sandbox('a').spec.template);
});

it('gives the same one back while nothing changes, and none without an inline template', () => {
  const templates = new Templates();
  const one = templates.of(sandbox('a'), undefined);
  expect(templates.of(sandbox('a'), one)).toBe(one);
  expect(templates.of(sandbox('b'), one)).not.toBe(one);
  expect(templates.of({ spec: { templateRef: { name: 't' } } }, one)).toBeUndefined();
  expect(templates.of({ spec: { template: { spec: {} } } }, undefined)?.text()).toBe('{"spec":{}}');
});

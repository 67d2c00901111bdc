import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mergeTemplate } from './strategic-merge';

const json = z.record(z.string(), z.unknown());
const recorded = z.object({ template: json, patch: json, merged: json });

const spec = (container: object, more: object = {}) => ({
  spec: { containers: [{ name: 'app', image: 'a:1', ...container }], ...more },
});

/** The result, or the problem. */
const merge = (template: Record<string, unknown>, patch: unknown) => {
  const merged = mergeTemplate(template, patch);
  return 'template' in merged ? merged.template : `${merged.problem.code} at ${merged.problem.path}`;
};
const app = (patch: object, template: Record<string, unknown> = spec({})) =>
  merge(template, { spec: { containers: [{ name: 'app', ...patch }] } });

describe('merging', () => {
  const file = path.join(import.meta.dirname, '../fixtures/strategic-merge.jsonl');
  /** What StrategicMergePatch of k8s.io/apimachinery 0.35.4 answered, without the nulls and directives that decoding drops. */
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const cases = lines.map((line) => recorded.parse(JSON.parse(line)));

  it.each(cases.map((each, index) => ({ index, ...each })))(
    'as apimachinery 0.35 does: $index',
    ({ template, patch, merged }) => {
      expect(merge(template, patch)).toEqual(merged);
    },
  );

  it('leaves what it is given alone', () => {
    const template = spec({ env: [{ name: 'A', value: '1' }] });
    const before = structuredClone(template);
    app(
      {
        env: [
          { name: 'A', value: '2' },
          { name: 'B', value: '3' },
        ],
      },
      template,
    );
    expect(template).toEqual(before);
  });

  it('tells ports apart by their number alone, and mounts by their path', () => {
    const template = spec({
      ports: [{ containerPort: 80, name: 'web' }],
      volumeMounts: [{ mountPath: '/a', name: 'one' }],
    });
    const patch = { ports: [{ containerPort: 80, protocol: 'UDP' }], volumeMounts: [{ mountPath: '/a', name: 'two' }] };
    expect(app(patch, template)).toEqual(
      spec({
        ports: [{ containerPort: 80, name: 'web', protocol: 'UDP' }],
        volumeMounts: [{ mountPath: '/a', name: 'two' }],
      }),
    );
  });

  it('replaces tolerations and commands as a whole', () => {
    const template = spec({ command: ['a', 'b'] }, { tolerations: [{ key: 'x' }, { key: 'y' }] });
    const patch = { spec: { containers: [{ name: 'app', command: ['c'] }], tolerations: [{ key: 'z' }] } };
    expect(merge(template, patch)).toEqual(spec({ command: ['c'] }, { tolerations: [{ key: 'z' }] }));
  });

  it('puts new items before those that the patch does not name', () => {
    const template = spec({ env: [{ name: 'A' }, { name: 'B' }] });
    expect(app({ env: [{ name: 'C' }] }, template)).toEqual(
      spec({ env: [{ name: 'C' }, { name: 'A' }, { name: 'B' }] }),
    );
    expect(app({ env: [{ name: 'B', value: '1' }, { name: 'C' }] }, template)).toEqual(
      spec({ env: [{ name: 'A' }, { name: 'B', value: '1' }, { name: 'C' }] }),
    );
  });

  it('a volume of another kind is both kinds, unless the keys to retain are named', () => {
    const template = spec({}, { volumes: [{ name: 'data', emptyDir: {} }] });
    const volume = { name: 'data', configMap: { name: 'c' } };
    expect(merge(template, { spec: { volumes: [volume] } })).toEqual(
      spec({}, { volumes: [{ emptyDir: {}, ...volume }] }),
    );
    const retained = { ...volume, $retainKeys: ['name', 'configMap'] };
    expect(merge(template, { spec: { volumes: [retained] } })).toEqual(spec({}, { volumes: [volume] }));
  });

  it('containers: null of typed clients means nothing', () => {
    expect(merge(spec({}), { spec: { containers: null } })).toEqual(spec({}));
    expect(merge(spec({}), { metadata: { labels: { a: 'b' } }, spec: { containers: null } })).toEqual({
      ...spec({}),
      metadata: { labels: { a: 'b' } },
    });
  });

  it('keys of an object may have any name', () => {
    const patch: unknown = JSON.parse('{"metadata": {"labels": {"__proto__": "x", "constructor": null}}}');
    expect(JSON.stringify(merge({ metadata: { labels: { a: '1' } }, ...spec({}) }, patch))).toContain(
      '"__proto__":"x"',
    );
  });
});

it('does not blame the patch for what was so before', () => {
  const template = { spec: { containers: [{ name: 'app' }, { name: 'side', image: 's:1' }] } };
  expect(merge(template, { metadata: { labels: { a: 'b' } } })).toMatchObject({ metadata: { labels: { a: 'b' } } });
  expect(app({ env: [] }, template)).toBeTypeOf('object');
  expect(merge(template, { spec: { containers: [{ name: 'side', image: null }] } })).toBe(
    'noImage at spec.containers[side]',
  );
});

describe('refusing', () => {
  it.each<[string, unknown, string]>([
    ['a text', 'spec: {}', 'notAnObject at '],
    ['a list', [], 'notAnObject at '],
    ['containers as an object', { spec: { containers: { name: 'app' } } }, 'notAList at spec.containers'],
    ['an item that is a text', { spec: { containers: ['app'] } }, 'notAnItem at spec.containers[0]'],
    ['an item without its key', { spec: { containers: [{ image: 'b' }] } }, 'noMergeKey at spec.containers[0]'],
    [
      'an item in an item',
      { spec: { containers: [{ name: 'app', env: [{ value: 'b' }] }] } },
      'noMergeKey at spec.containers[app].env[0]',
    ],
    ['a word it does not know', { spec: { $patch: 'merge' } }, 'unknownDirective at spec.$patch'],
    [
      'such a word at an item',
      { spec: { volumes: [{ name: 'a', $patch: 'remove' }] } },
      'unknownDirective at spec.volumes[a].$patch',
    ],
    [
      'keys to retain that lack one',
      { spec: { $retainKeys: ['a'], hostname: 'b' } },
      'badDirective at spec.$retainKeys',
    ],
    [
      'an order that lacks an item',
      { spec: { containers: [{ name: 'app' }], '$setElementOrder/containers': [{ name: 'b' }] } },
      'badDirective at spec.$setElementOrder/containers',
    ],
    [
      'a number as a value',
      { spec: { containers: [{ name: 'app', env: [{ name: 'A', value: 1 }] }] } },
      'wrongType at spec.containers[0].env[0].value',
    ],
    ['a label that is a number', { metadata: { labels: { a: 1 } } }, 'wrongType at metadata.labels.a'],
    [
      'no container left',
      { spec: { containers: [{ name: 'app', $patch: 'delete' }] } },
      'noContainers at spec.containers',
    ],
    [
      'a container that is not there',
      { spec: { containers: [{ name: 'ap', env: [] }] } },
      'noImage at spec.containers[ap]',
    ],
  ])('%s', (_, patch, problem) => {
    expect(merge(spec({}), patch)).toBe(problem);
  });
});

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

  it('an empty list or map of the template is not there, and its resources always are', () => {
    const hosts = [{ ip: '1.1.1.1' }, { ip: '1.1.1.1', hostnames: ['a'] }];
    expect(merge(spec({}, { hostAliases: [] }), { spec: { hostAliases: hosts } })).toEqual(
      spec({}, { hostAliases: hosts }),
    );
    const labels = { $patch: 'replace', a: '1' };
    expect(merge({ metadata: { labels: {} }, ...spec({}) }, { metadata: { labels } })).toEqual({
      metadata: {},
      ...spec({}),
    });
    expect(app({ resources: { $patch: 'replace', limits: { cpu: '1' } } })).toEqual(
      spec({ resources: { limits: { cpu: '1' } } }),
    );
  });

  it('a null where a whole map is new says nothing', () => {
    expect(app({ resources: { limits: { cpu: null, memory: '1Gi' } } })).toEqual(
      spec({ resources: { limits: { memory: '1Gi' } } }),
    );
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
    'imageGone at spec.containers[side]',
  );
});

describe('what would leave a value behind that nobody asked for', () => {
  // Made of these by apimachinery 0.35: a limit of 0, a label of no text, one called $patch; or no template that can be read.
  const template = {
    metadata: { labels: { a: '1' } },
    ...spec(
      { env: [{ name: 'A' }] },
      { volumes: [{ name: 'data', emptyDir: {} }], initContainers: [{ name: 'runtime' }] },
    ),
  };
  const limits = (cpu: unknown, more: object = {}) => ({
    name: 'side',
    image: 's:1',
    resources: { limits: { cpu }, ...more },
  });

  it.each<[string, unknown, string]>([
    [
      'a null in a map of a new container',
      { spec: { containers: [limits(null)] } },
      'spec.containers[side].resources.limits.cpu',
    ],
    [
      'a null in a list that is replaced',
      { spec: { containers: [{ $patch: 'replace' }, limits(null)] } },
      'spec.containers[side].resources.limits.cpu',
    ],
    ['a null in a map that is replaced', { metadata: { labels: { $patch: 'replace', b: null } } }, 'metadata.labels.b'],
    [
      'a directive in a map of what is replaced',
      { metadata: { $patch: 'replace', labels: { $patch: 'delete', b: '1' } } },
      'metadata.labels.$patch',
    ],
    [
      'keys to retain of a map that is not there',
      { metadata: { annotations: { $retainKeys: [] } } },
      'metadata.annotations.$retainKeys',
    ],
    [
      'a null in a list that has an order',
      { spec: { ephemeralContainers: [limits(null)], '$setElementOrder/ephemeralContainers': [{ name: 'side' }] } },
      'spec.ephemeralContainers[side].resources.limits.cpu',
    ],
    [
      'an order of a list without items',
      { spec: { hostAliases: [], '$setElementOrder/hostAliases': [{ ip: '1.1.1.1' }] } },
      'spec.$setElementOrder/hostAliases',
    ],
    ['an order of nothing', { spec: { '$setElementOrder/volumes': [] } }, 'spec.$setElementOrder/volumes'],
    [
      'an order of what is replaced as a whole',
      { spec: { tolerations: [{ key: 'x' }], '$setElementOrder/tolerations': ['x'] } },
      'spec.$setElementOrder/tolerations',
    ],
    [
      'values taken from a list that is replaced',
      { spec: { tolerations: [{ key: 'x' }], '$deleteFromPrimitiveList/tolerations': ['x'] } },
      'spec.$deleteFromPrimitiveList/tolerations',
    ],
    [
      'values taken from a list that is given, too',
      { metadata: { finalizers: ['a'], '$deleteFromPrimitiveList/finalizers': ['b'] } },
      'metadata.$deleteFromPrimitiveList/finalizers',
    ],
  ])('is refused: %s', (_, patch, path) => {
    expect(merge(template, patch)).toMatch(/^[a-zA-Z]+ at /);
    expect(merge(template, patch)).toContain(` at ${path}`);
  });

  it('and so is an order that does not say where the third one stands', () => {
    const volumes = [{ name: 'a' }, { name: 'b' }];
    const patch = (...order: string[]) => ({
      spec: {
        volumes: [{ name: 'a', $patch: 'delete' }, { name: 'c' }],
        '$setElementOrder/volumes': order.map((name) => ({ name })),
      },
    });
    expect(merge(spec({}, { volumes }), patch('c'))).toBe('orderUncertain at spec.$setElementOrder/volumes');
    expect(merge(spec({}, { volumes }), patch('b', 'c'))).toEqual(
      spec({}, { volumes: [{ name: 'b' }, { name: 'c' }] }),
    );
  });
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
      'retainLacks at spec.$retainKeys',
    ],
    [
      'an order that lacks an item',
      { spec: { containers: [{ name: 'app' }], '$setElementOrder/containers': [{ name: 'b' }] } },
      'orderPlace at spec.$setElementOrder/containers',
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
      'unknownContainer at spec.containers[ap]',
    ],
  ])('%s', (_, patch, problem) => {
    expect(merge(spec({}), patch)).toBe(problem);
  });
});

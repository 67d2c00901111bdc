import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patches, templates } from './arbitraries.testing';
import { inversePatch } from './inverse-patch';
import { mergeTemplate } from './strategic-merge';

const spec = (container: object, more: object = {}) => ({
  spec: { containers: [{ name: 'app', image: 'a:1', ...container }], ...more },
});

describe('the patch back', () => {
  it('brings any template back from any other', () => {
    fc.assert(
      fc.property(templates, templates, (before, after) => {
        const patch = inversePatch(before, after);
        expect(patch).toBeDefined();
        expect(mergeTemplate(after, patch)).toEqual({ template: before });
      }),
      { numRuns: 300 },
    );
  });

  it('brings a template back from what any patch made of it', () => {
    fc.assert(
      fc.property(templates, patches, (before, patch) => {
        const merged = mergeTemplate(before, patch);
        if (!('template' in merged)) return;
        expect(mergeTemplate(merged.template, inversePatch(before, merged.template))).toEqual({ template: before });
      }),
      { numRuns: 300 },
    );
  });

  it('is nothing between equal templates', () => {
    expect(inversePatch(spec({ env: [] }), spec({ env: [] }))).toEqual({});
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
    ['an image', spec({}), spec({ image: 'a:2' }), { spec: { containers: [{ name: 'app', image: 'a:1' }] } }],
    [
      'a variable that was added, one that was removed',
      spec({
        env: [
          { name: 'A', value: '1' },
          { name: 'OLD', value: '0' },
        ],
      }),
      spec({
        env: [
          { name: 'A', value: '1' },
          { name: 'NEW', value: '2' },
        ],
      }),
      {
        spec: {
          containers: [
            {
              name: 'app',
              '$setElementOrder/env': [{ name: 'A' }, { name: 'OLD' }],
              env: [
                { name: 'OLD', value: '0' },
                { name: 'NEW', $patch: 'delete' },
              ],
            },
          ],
        },
      },
    ],
    [
      'a volume of another kind',
      spec({}, { volumes: [{ name: 'data', emptyDir: {} }] }),
      spec({}, { volumes: [{ name: 'data', configMap: { name: 'c' } }] }),
      { spec: { volumes: [{ name: 'data', configMap: null, emptyDir: {} }] } },
    ],
    ['a field that was set', spec({}), spec({}, { hostNetwork: true }), { spec: { hostNetwork: null } }],
    [
      'a label of many',
      { metadata: { labels: { a: '1', b: '2' } }, ...spec({}) },
      { metadata: { labels: { a: '9', b: '2' } }, ...spec({}) },
      { metadata: { labels: { a: '1' } } },
    ],
  ])('says no more than it must: %s', (_, before, after, patch) => {
    expect(inversePatch(before, after)).toEqual(patch);
  });

  it('puts a list back whole when two items share a key', () => {
    const before = spec({
      ports: [
        { containerPort: 53, protocol: 'TCP' },
        { containerPort: 53, protocol: 'UDP' },
      ],
    });
    const after = spec({ ports: [{ containerPort: 53, protocol: 'TCP' }] });
    expect(mergeTemplate(after, inversePatch(before, after))).toEqual({ template: before });
  });

  it('knows what it cannot do', () => {
    expect(inversePatch({ metadata: { annotations: { $patch: 'delete' } }, ...spec({}) }, spec({}))).toBeUndefined();
    expect(inversePatch(spec({ env: [{ value: 'no name' }] }), spec({ env: [{ name: 'A' }] }))).toBeUndefined();
  });

  it('a null in a template is an absent field', () => {
    expect(inversePatch({ metadata: { creationTimestamp: null }, ...spec({}) }, spec({ image: 'a:2' }))).toEqual({
      metadata: {},
      spec: { containers: [{ name: 'app', image: 'a:1' }] },
    });
  });
});

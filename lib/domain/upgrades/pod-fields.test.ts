import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patches, templates } from './arbitraries.testing';
import { fieldsAt, unknownField } from './pod-fields';

const said = (patch: Record<string, unknown>) => {
  const fault = unknownField(patch);
  return fault && `${fault.path} → ${fault.values.nearest}`;
};

describe('fields that no Pod template has', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['a slip', { spec: { container: [{ name: 'app', image: 'a:2' }] } }, 'spec.container → containers'],
    ['another case', { spec: { Hostname: 'a' } }, 'spec.Hostname → hostname'],
    ['a template around it', { template: { spec: {} } }, 'template → none'],
    [
      'one of an item, which is named',
      { spec: { containers: [{ name: 'app', imagePullPolices: 'Always' }] } },
      'spec.containers[app].imagePullPolices → imagePullPolicy',
    ],
    [
      'one deep down',
      { spec: { containers: [{ name: 'app', env: [{ name: 'A', valuefrom: {} }] }] } },
      'spec.containers[app].env[A].valuefrom → valueFrom',
    ],
    [
      'one of an item without a key',
      { spec: { tolerations: [{ key: 'a' }, { keys: 'b' }] } },
      'spec.tolerations[1].keys → key',
    ],
  ])('%s', (_, patch, where) => {
    expect(said(patch)).toBe(where);
  });

  it('keys of maps are the user’s own, and directives are no fields', () => {
    expect(
      unknownField({
        metadata: { labels: { anything: 'a' }, annotations: { 'b.c/d': 'e' } },
        spec: {
          $retainKeys: ['containers'],
          '$setElementOrder/containers': [{ name: 'app' }],
          nodeSelector: { disk: 'ssd' },
          containers: [{ name: 'app', $patch: 'delete', resources: { limits: { 'example.com/gpu': 1, cpu: null } } }],
        },
      }),
    ).toBeUndefined();
  });

  it('there is none in real templates and patches', () => {
    fc.assert(fc.property(templates, (template) => unknownField({ ...template }) === undefined));
    fc.assert(fc.property(patches, (patch) => unknownField(patch) === undefined));
  });
});

describe('the fields that may stand at a place', () => {
  it('are those of the object there, with $patch in items that merge by a key', () => {
    expect(fieldsAt([])).toEqual(['metadata', 'spec']);
    const container = fieldsAt(['spec', 'containers', '[]']);
    expect(container).toEqual(expect.arrayContaining(['image', 'env', 'resources', '$patch']));
    expect(fieldsAt(['spec', 'tolerations', '[]'])).not.toContain('$patch');
    expect(fieldsAt(['spec', 'containers', '[]', 'env', '[]', 'valueFrom'])).toContain('secretKeyRef');
  });

  it('are none where nothing is known', () => {
    expect(fieldsAt(['spec', 'containers'])).toEqual([]);
    expect(fieldsAt(['metadata', 'labels'])).toEqual([]);
    expect(fieldsAt(['spec', 'containre', '[]'])).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patches, templates } from './arbitraries.testing';
import { patchProblem } from './patch-check';
import { editPatch, type PatchEdit } from './patch-edit';
import { readForm } from './patch-form';
import { mergeTemplate } from './strategic-merge';

const container = 'app';
const edited = (edits: PatchEdit[], patch: Record<string, unknown> = {}) => edits.reduce(editPatch, patch);

describe('the form of a patch', () => {
  it('writes each field as a strategic merge patch', () => {
    const patch = edited([
      { what: 'image', container, image: 'a:2' },
      { what: 'env', container, env: { name: 'LEVEL', value: 'debug' } },
      { what: 'env', container, env: { name: 'OLD', value: null } },
      { what: 'resource', container, kind: 'limits', resource: 'memory', value: '2Gi' },
      { what: 'resource', container, kind: 'limits', resource: 'cpu', value: null },
      { what: 'mount', container, mount: { mountPath: '/data', volume: 'data', readOnly: true } },
      { what: 'mount', container, mount: { mountPath: '/old', volume: null } },
      { what: 'image', container: 'runtime', init: true, image: 'r:2' },
      { what: 'volume', name: 'data', source: { kind: 'persistentVolumeClaim', name: 'disk' } },
      { what: 'volume', name: 'old', source: null },
    ]);
    expect(patch).toEqual({
      spec: {
        containers: [
          {
            name: 'app',
            image: 'a:2',
            env: [
              { name: 'LEVEL', value: 'debug', valueFrom: null },
              { name: 'OLD', $patch: 'delete' },
            ],
            resources: { limits: { memory: '2Gi', cpu: null } },
            volumeMounts: [
              { mountPath: '/data', name: 'data', readOnly: true },
              { mountPath: '/old', $patch: 'delete' },
            ],
          },
        ],
        initContainers: [{ name: 'runtime', image: 'r:2' }],
        volumes: [
          {
            $retainKeys: ['name', 'persistentVolumeClaim'],
            name: 'data',
            persistentVolumeClaim: { claimName: 'disk' },
          },
          { name: 'old', $patch: 'delete' },
        ],
      },
    });
    expect(patchProblem(patch)).toBeUndefined();
    expect(readForm(patch)).toEqual({
      containers: [
        {
          name: 'app',
          init: false,
          image: 'a:2',
          env: [
            { name: 'LEVEL', value: 'debug' },
            { name: 'OLD', value: null },
          ],
          resources: [
            { kind: 'limits', resource: 'memory', value: '2Gi' },
            { kind: 'limits', resource: 'cpu', value: null },
          ],
          mounts: [
            { mountPath: '/data', volume: 'data', readOnly: true },
            { mountPath: '/old', volume: null },
          ],
        },
        { name: 'runtime', init: true, image: 'r:2', env: [], resources: [], mounts: [] },
      ],
      volumes: [
        { name: 'data', source: { kind: 'persistentVolumeClaim', name: 'disk' } },
        { name: 'old', source: null },
      ],
      beyondForm: [],
    });
  });

  it('an edit taken back leaves the patch as it was', () => {
    const patch = { spec: { containers: [{ name: 'app', command: ['x'] }] } };
    const there: PatchEdit[] = [
      { what: 'image', container, image: 'a:2' },
      { what: 'env', container, env: { name: 'A', value: '1' } },
      { what: 'resource', container, kind: 'requests', resource: 'cpu', value: '1' },
      { what: 'mount', container, mount: { mountPath: '/d', volume: 'd' } },
      { what: 'volume', name: 'd', source: { kind: 'emptyDir' } },
      { what: 'image', container: 'other', image: 'o:2' },
    ];
    const back: PatchEdit[] = [
      { what: 'image', container, image: undefined },
      { what: 'removeEnv', container, name: 'A' },
      { what: 'resource', container, kind: 'requests', resource: 'cpu', value: undefined },
      { what: 'removeMount', container, mountPath: '/d' },
      { what: 'removeVolume', name: 'd' },
      { what: 'image', container: 'other', image: undefined },
    ];
    expect(edited([...there, ...back], patch)).toEqual(patch);
    expect(edited([...there, ...back])).toEqual({});
  });

  it('names what it cannot show, and leaves that alone', () => {
    const patch = {
      metadata: { labels: { a: 'b' } },
      spec: {
        hostNetwork: true,
        containers: [
          {
            name: 'app',
            image: 'a:2',
            command: ['run'],
            env: [
              { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
              { name: 'B', value: '1' },
            ],
            volumeMounts: [{ mountPath: '/d', subPathExpr: '$(X)', name: 'd' }],
          },
          { name: 'gone', $patch: 'delete' },
        ],
        volumes: [
          { name: 'd', csi: { driver: 'x' } },
          { name: 'c', configMap: { name: 'c', optional: true } },
        ],
        '$setElementOrder/containers': [{ name: 'app' }, { name: 'gone' }],
      },
    };
    expect(readForm(patch).beyondForm).toEqual([
      'metadata',
      'spec.hostNetwork',
      'spec.containers[app].command',
      'spec.containers[app].env[A]',
      'spec.containers[app].volumeMounts[/d]',
      'spec.containers[gone]',
      'spec.volumes[d]',
      'spec.volumes[c]',
      'spec.$setElementOrder/containers',
    ]);
    const changed = editPatch(patch, { what: 'env', container, env: { name: 'B', value: '2' } });
    expect(readForm(changed).beyondForm).toEqual(readForm(patch).beyondForm);
    expect(editPatch(changed, { what: 'env', container, env: { name: 'B', value: '1' } })).toMatchObject({
      metadata: patch.metadata,
      spec: { volumes: patch.spec.volumes },
    });
  });

  it('reading and writing any field again changes nothing of what the patch does', () => {
    fc.assert(
      fc.property(templates, patches, (template, patch) => {
        if (patchProblem(patch)) return;
        const form = readForm(patch);
        const edits: PatchEdit[] = form.containers.flatMap(({ name, init, image, env, resources }) => [
          ...(image === undefined ? [] : [{ what: 'image' as const, container: name, init, image }]),
          ...env.map((each) => ({ what: 'env' as const, container: name, init, env: each })),
          ...resources.map((each) => ({ what: 'resource' as const, container: name, init, ...each })),
        ]);
        const again = edited(edits, patch);
        // A variable that is set is no longer taken from elsewhere: that is what the form means by it.
        const keepsSources = !JSON.stringify(template).includes('valueFrom');
        if (keepsSources) expect(mergeTemplate(template, again)).toEqual(mergeTemplate(template, patch));
        expect(readForm(again)).toEqual(form);
      }),
      { numRuns: 200 },
    );
  });
});

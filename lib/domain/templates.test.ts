import { describe, expect, it } from 'vitest';
import type { JsonPatchOp } from '@/lib/contracts/writes';
import { applyPatch } from './json-patch.testing';
import {
  buildTemplatePatch,
  NoSuchContainerError,
  type TemplateChange,
  templateAfter,
  templateDiff,
} from './templates';

const before = {
  metadata: { labels: { app: 'code' } },
  spec: {
    initContainers: [{ name: 'agent-runtime', image: 'reg.local/runtime:v1', restartPolicy: 'Always' }],
    containers: [
      { name: 'sidecar', image: 'reg.local/side:1' },
      {
        name: 'python',
        image: 'python:3.11',
        env: [
          { name: 'LANG', value: 'C' },
          { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        ],
        resources: { requests: { cpu: '500m', memory: '1Gi' } },
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
  },
};

type Form = Extract<TemplateChange, { by: 'form' }>['containers'][number];
const form = (change: Partial<Form>): TemplateChange => ({
  by: 'form',
  containers: [{ init: false, name: 'python', ...change }],
});
const root = '/spec/template/spec/containers/1';
const writes = (patch: JsonPatchOp[]) => patch.filter(({ op }) => op !== 'test');

function applied(change: TemplateChange): unknown {
  const pool = { spec: { template: before, replicas: 3 } };
  return applyPatch(pool, buildTemplatePatch(before, change));
}

describe('the form', () => {
  it('changes an image, and tests the place, the name and the old value', () => {
    expect(buildTemplatePatch(before, form({ image: 'python:3.12' }))).toEqual([
      { op: 'test', path: `${root}/name`, value: 'python' },
      { op: 'test', path: `${root}/image`, value: 'python:3.11' },
      { op: 'replace', path: `${root}/image`, value: 'python:3.12' },
    ]);
  });

  it.each<[string, Partial<Form>, JsonPatchOp[]]>([
    [
      'adds',
      { env: [{ name: 'DEBUG', value: '1' }] },
      [{ op: 'add', path: `${root}/env/2`, value: { name: 'DEBUG', value: '1' } }],
    ],
    [
      'replaces',
      { env: [{ name: 'LANG', value: 'C.UTF-8' }] },
      [{ op: 'replace', path: `${root}/env/0/value`, value: 'C.UTF-8' }],
    ],
    ['removes', { env: [{ name: 'LANG', value: null }] }, [{ op: 'remove', path: `${root}/env/0` }]],
    [
      'sets to empty',
      { env: [{ name: 'LANG', value: '' }] },
      [{ op: 'replace', path: `${root}/env/0/value`, value: '' }],
    ],
    [
      'turns a reference into a value',
      { env: [{ name: 'TOKEN', value: 'x' }] },
      [
        { op: 'remove', path: `${root}/env/1/valueFrom` },
        { op: 'add', path: `${root}/env/1/value`, value: 'x' },
      ],
    ],
    ['leaves what is absent', { env: [{ name: 'NOBODY', value: null }] }, []],
  ])('%s environment variables', (_, change, expected) => {
    expect(writes(buildTemplatePatch(before, form(change)))).toEqual(expected);
  });

  it('changes and adds resources beside those that stay', () => {
    const change = form({ requests: { cpu: '1' }, limits: { memory: '2Gi' } });
    expect(writes(buildTemplatePatch(before, change))).toEqual([
      { op: 'replace', path: `${root}/resources/requests/cpu`, value: '1' },
      { op: 'add', path: `${root}/resources/limits`, value: { memory: '2Gi' } },
    ]);
  });

  it('reaches init containers and several containers at once, and nothing else', () => {
    const change: TemplateChange = {
      by: 'form',
      containers: [
        { init: true, name: 'agent-runtime', image: 'reg.local/runtime:v2' },
        { init: false, name: 'sidecar', image: 'reg.local/side:2', env: [{ name: 'A', value: 'b' }] },
      ],
    };
    const after = structuredClone(before) as ReturnType<typeof structuredClone<typeof before>>;
    Object.assign(after.spec.initContainers[0] ?? {}, { image: 'reg.local/runtime:v2' });
    Object.assign(after.spec.containers[0] ?? {}, { image: 'reg.local/side:2', env: [{ name: 'A', value: 'b' }] });
    expect(applied(change)).toEqual({ spec: { template: after, replicas: 3 } });
  });

  it('writes nothing when nothing changes', () => {
    expect(
      buildTemplatePatch(
        before,
        form({ image: 'python:3.11', env: [{ name: 'LANG', value: 'C' }], requests: { cpu: '500m' } }),
      ),
    ).toEqual([]);
  });

  it('refuses a container that is not there', () => {
    expect(() => buildTemplatePatch(before, form({ name: 'ruby', image: 'ruby:3' }))).toThrow(NoSuchContainerError);
    expect(() => buildTemplatePatch({}, form({ image: 'x' }))).toThrow(NoSuchContainerError);
  });

  it('does not change what the person saw', () => {
    const seen = structuredClone(before);
    templateAfter(before, form({ image: 'x', env: [{ name: 'LANG', value: null }], limits: { cpu: '1' } }));
    expect(before).toEqual(seen);
  });
});

describe('the race', () => {
  const change = form({ image: 'python:3.12' });
  const patched = (template: unknown) => applyPatch({ spec: { template } }, buildTemplatePatch(before, change));

  it('is lost when the image or the order of containers has changed', () => {
    const other = structuredClone(before);
    Object.assign(other.spec.containers[1] ?? {}, { image: 'python:3.13' });
    expect(() => patched(other)).toThrow(/test .*image failed/);
    const reordered = structuredClone(before);
    reordered.spec.containers.reverse();
    expect(() => patched(reordered)).toThrow(/test .*name failed/);
  });

  it('is not lost by a change somewhere else', () => {
    const other = structuredClone(before);
    Object.assign(other.spec.containers[0] ?? {}, { image: 'reg.local/side:9' });
    expect(patched(other)).toMatchObject({
      spec: { template: { spec: { containers: [{ image: 'reg.local/side:9' }, { image: 'python:3.12' }] } } },
    });
  });
});

describe('YAML', () => {
  it('becomes the smallest patch, with paths escaped', () => {
    const template = { ...before, metadata: { labels: { app: 'code' }, annotations: { 'team.example.net/a~b': 'x' } } };
    expect(buildTemplatePatch(before, { by: 'yaml', template })).toEqual([
      { op: 'test', path: '/spec/template/metadata', value: before.metadata },
      { op: 'add', path: '/spec/template/metadata/annotations', value: { 'team.example.net/a~b': 'x' } },
    ]);
    const [again] = writes(
      buildTemplatePatch(template, {
        by: 'yaml',
        template: { ...template, metadata: { ...template.metadata, annotations: {} } },
      }),
    );
    expect(again).toEqual({ op: 'remove', path: '/spec/template/metadata/annotations/team.example.net~1a~0b' });
  });

  it('adds, removes and reorders containers', () => {
    const [sidecar, python] = before.spec.containers;
    for (const containers of [[python], [sidecar, { name: 'new', image: 'x' }, python], [python, sidecar], []]) {
      const template = { ...before, spec: { ...before.spec, containers } };
      expect(applied({ by: 'yaml', template })).toEqual({ spec: { template, replicas: 3 } });
    }
  });

  it('is no change when it says the same', () => {
    expect(buildTemplatePatch(before, { by: 'yaml', template: structuredClone(before) })).toEqual([]);
  });
});

it('templateDiff names what differs the way people write it', () => {
  const after = templateAfter(
    before,
    form({
      image: 'python:3.12',
      env: [
        { name: 'LANG', value: null },
        { name: 'DEBUG', value: '1' },
      ],
    }),
  );
  expect(templateDiff(before, after)).toEqual([
    { path: 'spec.containers[python].image', kind: 'changed', before: 'python:3.11', after: 'python:3.12' },
    { path: 'spec.containers[python].env[LANG]', kind: 'removed', before: { name: 'LANG', value: 'C' } },
    { path: 'spec.containers[python].env[DEBUG]', kind: 'added', after: { name: 'DEBUG', value: '1' } },
  ]);
  expect(templateDiff(before, structuredClone(before))).toEqual([]);
});

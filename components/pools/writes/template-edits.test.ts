import { describe, expect, it } from 'vitest';
import { checkTemplate, digestPinnedInits } from './template-checks';
import { containerViews, editContainer } from './template-edits';

const template = {
  metadata: { labels: { app: 'code' } },
  spec: {
    initContainers: [{ name: 'runtime', image: `r/runtime@sha256:${'a'.repeat(64)}` }],
    containers: [
      {
        name: 'main',
        image: 'a:1',
        args: ['serve'],
        env: [
          { name: 'MODE', value: 'dev' },
          { name: 'API_TOKEN', value: '•••' },
          { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        ],
        resources: { requests: { cpu: '1', 'example.com/gpu': '1' } },
      },
    ],
  },
};
const main = { init: false, name: 'main' };
const containerOf = (edited: unknown) => (edited as typeof template).spec.containers[0];

describe('containerViews', () => {
  it('shows main containers first, and no value that is hidden or referenced', () => {
    const views = containerViews(template);
    expect(views.map((view) => view.name)).toEqual(['main', 'runtime']);
    expect(views[0]?.env).toEqual([
      { name: 'MODE', value: 'dev', kind: 'plain' },
      { name: 'API_TOKEN', value: '', kind: 'hidden' },
      { name: 'KEY', value: '', kind: 'reference' },
    ]);
    expect(views[0]?.resources).toEqual({ requests: { cpu: '1', memory: '' }, limits: { cpu: '', memory: '' } });
  });
});

describe('editContainer', () => {
  it('changes one thing and leaves the rest', () => {
    const edited = editContainer(template, main, { what: 'image', image: 'a:2' });
    expect(edited).toEqual({
      ...template,
      spec: { ...template.spec, containers: [{ ...template.spec.containers[0], image: 'a:2' }] },
    });
    expect(template.spec.containers[0]?.image).toBe('a:1');
  });

  it('adds, renames, sets and removes variables; a typed value takes the place of a reference', () => {
    let edited = editContainer(template, main, { what: 'env', index: 2, value: 'typed' });
    edited = editContainer(edited, main, { what: 'addEnv' });
    edited = editContainer(edited, main, { what: 'env', index: 3, name: 'NEW' });
    edited = editContainer(edited, main, { what: 'removeEnv', index: 0 });
    expect(containerOf(edited)?.env).toEqual([
      { name: 'API_TOKEN', value: '•••' },
      { name: 'KEY', value: 'typed' },
      { name: 'NEW', value: '' },
    ]);
  });

  it('takes an emptied quantity away, and the side with the last one, but no other resource', () => {
    const none = editContainer(template, main, { what: 'resource', side: 'requests', resource: 'cpu', quantity: '' });
    expect(containerOf(none)?.resources).toEqual({ requests: { 'example.com/gpu': '1' } });
    let limit = editContainer(template, main, {
      what: 'resource',
      side: 'limits',
      resource: 'memory',
      quantity: '1Gi',
    });
    expect(containerOf(limit)?.resources).toMatchObject({ limits: { memory: '1Gi' } });
    limit = editContainer(limit, main, { what: 'resource', side: 'limits', resource: 'memory', quantity: '' });
    expect(containerOf(limit)?.resources).toEqual(template.spec.containers[0]?.resources);
  });
});

describe('checkTemplate', () => {
  const problemsOf = (container: object) =>
    checkTemplate({ spec: { containers: [{ name: 'main', image: 'a', ...container }] } });

  it('finds nothing wrong with what is right', () => expect(checkTemplate(template)).toEqual([]));

  it.each([
    [{ image: ' ' }, 'containers/main/image', 'imageEmpty'],
    [{ image: 'a b' }, 'containers/main/image', 'imageSpace'],
    [{ env: [{ name: '', value: '' }] }, 'containers/main/env/0', 'envEmpty'],
    [{ env: [{ name: 'A' }, { name: 'A' }] }, 'containers/main/env/1', 'envTwice'],
    [{ resources: { limits: { cpu: 'two' } } }, 'containers/main/limits/cpu', 'quantity'],
    [{ resources: { limits: { cpu: '1' }, requests: { cpu: '1500m' } } }, 'containers/main/requests/cpu', 'aboveLimit'],
  ])('finds %j', (container, field, code) => expect(problemsOf(container)).toEqual([{ field, code }]));
});

describe('digestPinnedInits', () => {
  it('names init containers only', () => expect(digestPinnedInits(template)).toEqual(['runtime']));
});

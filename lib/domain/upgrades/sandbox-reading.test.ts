import { expect, it } from 'vitest';
import { readSandbox } from './sandbox-reading';

it.each<[string, object, object, boolean]>([
  ['nothing names a runtime', { template: { spec: { containers: [{ name: 'main' }] } } }, {}, false],
  ['it is injected', { runtimes: [{ name: 'agent-runtime' }] }, {}, true],
  ['an init container of the template is called so', initContainer('agent-runtime'), {}, true],
  ['an init container by the other name', initContainer('runtime'), {}, true],
  ['another init container', initContainer('migrate'), {}, false],
  ['hooks are sent elsewhere', {}, { 'agents.kruise.io/runtime-url': 'http://10.0.0.9:49983' }, true],
])('a runtime that runs hooks: %s', (_, spec, annotations, runtime) => {
  expect(readSandbox({ metadata: { name: 'a', uid: '1', annotations }, spec })).toMatchObject({ runtime });
});

function initContainer(name: string) {
  return { template: { spec: { initContainers: [{ name }] } } };
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import { textOf } from '../core/objects';
import { type ApiServer, startApiServer } from '../server';
import { send } from '../testing';

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.close());

const container = (more: object) => ({ containers: [{ name: 'c', image: 'i', ...more }] });

it.each([
  [{ ...container({}), hostNetwork: 'yes' }, 'string into Go struct field PodSpec.spec.hostNetwork of type bool'],
  [container({ name: 1 }), 'number into Go struct field Container.spec.containers.name of type string'],
  [{ containers: {} }, 'object into Go struct field PodSpec.spec.containers of type []v1.Container'],
  [{ containers: ['c'] }, 'string into Go struct field PodSpec.spec.containers of type v1.Container'],
  [
    container({ ports: [{ containerPort: '80' }] }),
    'string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
  ],
  [
    container({ env: [{ name: 'A', value: 1 }] }),
    'number into Go struct field EnvVar.spec.containers.env.value of type string',
  ],
  [
    { ...container({}), terminationGracePeriodSeconds: 1.5 },
    'number 1.5 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
  ],
  [
    { ...container({}), nodeSelector: { a: true } },
    'bool into Go struct field PodSpec.spec.nodeSelector of type string',
  ],
  [
    { ...container({}), nodeSelector: 'a' },
    'string into Go struct field PodSpec.spec.nodeSelector of type map[string]string',
  ],
])('refuses a value of another type than its field: %j', async (spec, why) => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec };
  const { status, body } = await send(`${server.url}/api/v1/namespaces/default/pods`, 'POST', pod);
  expect(status).toBe(400);
  expect(textOf(body, 'message')).toBe(`Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal ${why}`);
});

it('takes quantities and ports as numbers or texts, and null as nothing', async () => {
  const spec = {
    ...container({
      resources: { limits: { cpu: 2, memory: '1Gi' } },
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { httpGet: { port: 'http' } },
      env: null,
    }),
    hostNetwork: null,
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'y' }, spec };
  expect((await send(`${server.url}/api/v1/namespaces/default/pods`, 'POST', pod)).status).toBe(201);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOf, textOf } from '../../core/objects';
import { type ApiServer, startApiServer } from '../../server';
import { send } from '../../testing';

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.close());

const pods = () => `${server.url}/api/v1/namespaces/default/pods`;
const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };
const ADD_OR_REMOVE = 'Forbidden: pod updates may not add or remove containers';
const OTHERS = /^spec: Forbidden: pod updates may not change fields other than/;

let count = 0;
/** Why a patch of a new pod is refused. */
async function causesOf(patch: object[]): Promise<string[]> {
  count += 1;
  const name = `p${count}`;
  const container = { name: 'c', image: 'i:1' };
  const spec = { activeDeadlineSeconds: 10, containers: [container], initContainers: [{ ...container, name: 'i' }] };
  await send(pods(), 'POST', { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  const { body } = await send(`${pods()}/${name}`, 'PATCH', patch, JSON_PATCH);
  return listOf(body, 'details', 'causes').map((cause) => `${textOf(cause, 'field')}: ${textOf(cause, 'message')}`);
}
const set = (path: string, value: unknown) => causesOf([{ op: 'add', path: `/spec/${path}`, value }]);

it('keeps its containers, whose images alone may change', async () => {
  expect(await set('containers/0/image', 'i:2')).toEqual([]);
  expect(await set('containers/0/image', '')).toEqual(['spec.containers[0].image: Required value']);
  expect(await set('containers/0/name', 'd')).toEqual([expect.stringMatching(OTHERS)]);
  expect(await set('containers', [])).toEqual(['spec.containers: Required value', `spec.containers: ${ADD_OR_REMOVE}`]);
  expect(await set('containers/-', { name: 'd', image: 'x' })).toEqual([`spec.containers: ${ADD_OR_REMOVE}`]);
  expect(await set('initContainers', [])).toEqual([`spec.initContainers: ${ADD_OR_REMOVE}`]);
});

it('may be given an earlier deadline, none later and none less', async () => {
  const field = 'spec.activeDeadlineSeconds';
  expect(await set('activeDeadlineSeconds', 5)).toEqual([]);
  expect(await set('activeDeadlineSeconds', 20)).toEqual([
    `${field}: Invalid value: 20: must be less than or equal to previous value`,
  ]);
  expect(await set('activeDeadlineSeconds', -1)).toEqual([
    `${field}: Invalid value: -1: must be between 1 and 2147483647, inclusive`,
    `${field}: Invalid value: -1: must be between 0 and 2147483647, inclusive`,
  ]);
  expect(await causesOf([{ op: 'remove', path: '/spec/activeDeadlineSeconds' }])).toEqual([
    `${field}: Invalid value: null: must not update from a positive integer to nil value`,
  ]);
});

it('is bound to a node by binding alone, and gets no gate and no other time to stop', async () => {
  expect(await set('nodeName', 'worker-01')).toEqual([expect.stringMatching(OTHERS)]);
  expect(await set('terminationGracePeriodSeconds', 5)).toEqual([expect.stringMatching(OTHERS)]);
  expect(await set('schedulingGates', [{ name: 'g' }])).toEqual([
    "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'g'",
  ]);
});

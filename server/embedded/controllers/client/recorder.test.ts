import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type ApiServer, startApiServer } from '../../apiserver/server';
import { connectUrl } from '../connect';
import { Api } from './api';
import type { KubeObject } from './objects';
import { EventRecorder } from './recorder';
import { collectionPath, resources } from './resources';

let server: ApiServer;
let api: Api;
beforeAll(async () => {
  server = await startApiServer({ port: 0 });
  api = new Api(connectUrl(server.url));
});
afterAll(async () => {
  api.close();
  await server.close();
});

const listSchema = z.looseObject({
  items: z.array(
    z.looseObject({
      message: z.string(),
      count: z.number(),
      reportingComponent: z.string().optional(),
      involvedObject: z.looseObject({ uid: z.string() }),
    }),
  ),
});
const object = (uid: string): KubeObject => ({
  metadata: { name: `set-${uid}`, namespace: 'default', uid, resourceVersion: '1' },
});

async function eventsAbout(uid: string) {
  const { items } = listSchema.parse(await api.get(collectionPath(resources.events, 'default')));
  return items.filter(({ involvedObject }) => involvedObject.uid === uid);
}

it('counts what is said again', async () => {
  const recorder = new EventRecorder(api, 'test');
  for (let i = 0; i < 3; i += 1) recorder.emit(resources.sandboxsets, object('a'), 'Normal', 'Said', 'again');
  await recorder.flush();
  expect(await eventsAbout('a')).toMatchObject([{ message: 'again', count: 3 }]);
});

it('combines similar ones from the tenth on, and stops at the limit', async () => {
  const recorder = new EventRecorder(api, 'test');
  for (let i = 1; i <= 40; i += 1) recorder.emit(resources.sandboxsets, object('b'), 'Normal', 'Made', `number ${i}`);
  await recorder.flush();
  const events = await eventsAbout('b');
  expect(events).toHaveLength(10);
  const combined = events.find(({ message }) => message.startsWith('(combined from similar events): '));
  // 25 in all: nine alone, sixteen together.
  expect(combined).toMatchObject({ message: '(combined from similar events): number 25', count: 16 });
  expect(combined?.reportingComponent ?? '').toBe('');
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldsOf, listOf, textOf } from './core/objects';
import { type ApiServer, startApiServer } from './server';
import { AGENTS, openWatch, pod, sandbox, send, summary, versionOf } from './testing';

let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer();
});

afterEach(() => server.close());

const boxes = () => `${server.url}${AGENTS}/sandboxes`;
const pods = () => `${server.url}/api/v1/namespaces/default/pods`;

describe('watch', () => {
  it('resumes after the version of a list, missing nothing', async () => {
    await send(boxes(), 'POST', sandbox('a'));
    const { body } = await send(boxes(), 'GET');
    await send(`${boxes()}/a`, 'PATCH', { metadata: { labels: { x: '1' } } });
    await send(`${boxes()}/a`, 'DELETE');
    await send(boxes(), 'POST', sandbox('b'));
    const watch = await openWatch(`${boxes()}?watch=1&resourceVersion=${versionOf(body)}`);
    expect(summary(await watch.until(3))).toEqual(['MODIFIED a', 'DELETED a', 'ADDED b']);
    const versions = watch.events.map(({ object }) => Number(versionOf(object)));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    watch.stop();
  });

  it('tells a selecting watcher of objects that enter and leave its selection', async () => {
    await send(boxes(), 'POST', sandbox('a'));
    const watch = await openWatch(`${boxes()}?watch=1&labelSelector=${encodeURIComponent('x in (1,2)')}`);
    await send(`${boxes()}/a`, 'PATCH', { metadata: { labels: { x: '1' } } });
    await send(`${boxes()}/a`, 'PATCH', { metadata: { labels: { x: '2' } } });
    await send(`${boxes()}/a`, 'PATCH', { metadata: { labels: { x: '3' } } });
    const events = await watch.until(3);
    expect(summary(events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    // The last state that matched, at the version of the change.
    expect(fieldsOf(events[2]?.object, 'metadata', 'labels')).toEqual({ x: '2' });
    watch.stop();
  });

  it('answers a forgotten version with one ERROR event of code 410', async () => {
    await send(boxes(), 'POST', sandbox('a'));
    server.compact();
    const watch = await openWatch(`${boxes()}?watch=1&resourceVersion=1`);
    await watch.ended;
    expect(watch.events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
  });

  it('stays open and silent for a version that does not exist yet', async () => {
    const watch = await openWatch(`${boxes()}?watch=1&resourceVersion=999999&timeoutSeconds=1`);
    await send(boxes(), 'POST', sandbox('a'));
    await watch.ended;
    expect(watch.events).toEqual([]);
  });

  it('takes a timeout longer than a timer can be', async () => {
    const watch = await openWatch(`${boxes()}?watch=1&timeoutSeconds=2147484`);
    await send(boxes(), 'POST', sandbox('a'));
    expect(summary(await watch.until(1))).toEqual(['ADDED a']);
    await send(`${boxes()}/a`, 'DELETE');
    expect(summary(await watch.until(2))).toEqual(['ADDED a', 'DELETED a']);
    watch.stop();
  });

  it('ends its watches when asked, and goes on serving', async () => {
    const watch = await openWatch(`${boxes()}?watch=1`);
    server.closeAllWatches();
    await watch.ended;
    expect((await send(boxes(), 'GET')).status).toBe(200);
  });
});

describe('a restart on the same storage', () => {
  it('keeps objects, versions and history', async () => {
    const { port, store } = server;
    await send(boxes(), 'POST', sandbox('a'));
    const { body } = await send(boxes(), 'GET');
    const watch = await openWatch(`${boxes()}?watch=1`);
    await watch.until(1);
    await server.close();
    await watch.ended;
    server = await startApiServer({ port, storage: store });
    await send(`${boxes()}/a`, 'DELETE');
    const resumed = await openWatch(`${boxes()}?watch=1&resourceVersion=${versionOf(body)}`);
    expect(summary(await resumed.until(1))).toEqual(['DELETED a']);
    resumed.stop();
  });
});

describe('lists', () => {
  it('pages through a snapshot: what changes between pages is not seen', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await send(boxes(), 'POST', sandbox(name));
    const first = await send(`${boxes()}?limit=2`, 'GET');
    expect(fieldsOf(first.body, 'metadata').remainingItemCount).toBe(2);
    await send(`${boxes()}/c`, 'DELETE');
    await send(boxes(), 'POST', sandbox('bb'));
    const token = encodeURIComponent(textOf(first.body, 'metadata', 'continue'));
    const second = await send(`${boxes()}?limit=2&continue=${token}`, 'GET');
    expect(listOf(second.body, 'items').map((item) => textOf(item, 'metadata', 'name'))).toEqual(['c', 'd']);
    expect(versionOf(second.body)).toBe(versionOf(first.body));
  });

  it('answers an expired token with 410 and a token to go on with', async () => {
    for (const name of ['a', 'b']) await send(boxes(), 'POST', sandbox(name));
    const first = await send(`${boxes()}?limit=1`, 'GET');
    await send(boxes(), 'POST', sandbox('c'));
    server.compact();
    const token = textOf(first.body, 'metadata', 'continue');
    const expired = await send(`${boxes()}?limit=1&continue=${token}`, 'GET');
    expect(expired).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    const rest = await send(`${boxes()}?continue=${textOf(expired.body, 'metadata', 'continue')}`, 'GET');
    expect(listOf(rest.body, 'items').map((item) => textOf(item, 'metadata', 'name'))).toEqual(['b', 'c']);
  });

  it('selects pods by node and gives list items of core kinds no kind', async () => {
    await send(pods(), 'POST', pod('a', 'node-a'));
    await send(pods(), 'POST', pod('b'));
    const { body } = await send(`${pods()}?fieldSelector=spec.nodeName%3Dnode-a`, 'GET');
    const items = listOf(body, 'items');
    expect(items.map((item) => textOf(item, 'metadata', 'name'))).toEqual(['a']);
    expect(fieldsOf({ item: items[0] }, 'item').kind).toBeUndefined();
  });
});

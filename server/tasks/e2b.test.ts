import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { listenOn } from '../embedded/apiserver/serving/listener';
import { E2b, metadataKeys } from './e2b';

let stop: (() => unknown) | undefined;
afterEach(() => stop?.());

/** A manager and gateway in one. */
async function against(serve: RequestListener): Promise<E2b> {
  const server = createServer(serve);
  const { port } = await listenOn(server, 0);
  stop = () => server.close().closeAllConnections();
  const url = `http://127.0.0.1:${port}`;
  return new E2b({ apiUrl: url, sandboxUrl: url, apiKey: 'e2b_00000000' });
}

const listed = (sandboxID: string, metadata: Record<string, string>) => ({
  sandboxID,
  metadata,
  templateID: 'python',
  clientID: '',
  startedAt: '2026-01-01T00:00:00Z',
  endAt: '2026-01-01T01:00:00Z',
  state: 'running',
  cpuCount: 1,
  memoryMB: 512,
  diskSizeMB: 0,
  envdVersion: '0.2.10',
});

it('finds its own behind a page of others, at a server that does not filter and repeats its last page', async () => {
  const others = Array.from({ length: 3 }, (_, n) => listed(`demo--other-${n}`, {}));
  const own = listed('demo--own', { [metadataKeys.installation]: 'here', [metadataKeys.task]: 'task-1' });
  const e2b = await against(({ url = '' }, response) => {
    const isFirst = !url.includes('nextToken');
    response.writeHead(200, { 'content-type': 'application/json', 'x-next-token': 'more' });
    response.end(JSON.stringify(isFirst ? others : [own]));
  });
  expect(await e2b.own('here')).toEqual([{ id: 'demo--own', task: 'task-1' }]);
});

it('does not take more of a file than it was told to, however long it goes on', async () => {
  let isCut = false;
  const e2b = await against((request, response) => {
    if (request.method === 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(listed('demo--own', {})));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const more = () => {
      while (response.write(Buffer.alloc(1_024)));
    };
    response.on('drain', more).on('close', () => {
      isCut = true;
    });
    more();
  });
  const sandbox = await e2b.attach('demo--own');
  expect(await sandbox.read('/home/user/out', 10_000, new AbortController().signal)).toBeUndefined();
  await expect.poll(() => isCut).toBe(true);
});

it.each([
  ['2026-01-01T01:00:00Z', Date.UTC(2026, 0, 1, 1)],
  ['0001-01-01T00:00:00Z', undefined],
  ['9999-12-31T23:59:59Z', undefined],
  ['<unknown>', undefined],
])('reads the end %s, whatever else the answer says', async (endAt, expected) => {
  const odd = { ...listed('demo--own', {}), startedAt: '<unknown>', state: 'snapshotting', endAt };
  const e2b = await against((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(odd));
  });
  const sandbox = await e2b.attach('demo--own');
  expect(await sandbox.endAt()).toBe(expected);
});

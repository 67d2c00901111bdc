import { writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loopbackCertificate } from '../embedded/apiserver/serving/certificate';
import { readEnvironment } from '../env';
import { KubeClient } from './client';
import { clusterConfig } from './config';
import { KubeError } from './errors';
import { FakeApiServer, sendJson, sendStatus } from './testing/fake-api-server';

const until = (check: () => void) => vi.waitFor(check, 5_000);

let api: FakeApiServer;
const pools = '/apis/agents.kruise.io/v1alpha1/sandboxsets';

beforeEach(async () => {
  api = await FakeApiServer.start(pools);
});
afterEach(() => {
  vi.useRealTimers();
  return api.stop();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('requests', () => {
  it('sends method, query, body and its type, and returns body and warnings', async () => {
    api.fault = (_asked, response) => {
      response.setHeader('warning', ['299 - "unknown field \\"spec.replica\\""', '299 - "two, with comma"']);
      sendJson(response, 200, { done: true });
      return true;
    };
    const answer = await new KubeClient(api.config()).request({
      method: 'PATCH',
      path: `${pools}/x`,
      query: { dryRun: 'All', limit: 5 },
      body: [{ op: 'test', path: '/a', value: 1 }],
      contentType: 'application/json-patch+json',
    });
    expect(answer).toMatchObject({ status: 200, body: { done: true } });
    expect(answer.warnings).toEqual(['unknown field "spec.replica"', 'two, with comma']);
    const [asked] = api.asked;
    expect(asked?.headers['content-type']).toBe('application/json-patch+json');
    expect(asked?.query.get('dryRun')).toBe('All');
    expect(JSON.parse(asked?.body ?? '')).toEqual([{ op: 'test', path: '/a', value: 1 }]);
  });

  it('impersonates a person with all groups, and nobody when the principal is the console', async () => {
    const client = new KubeClient(api.config());
    const who = { subject: 'vera', groups: ['dev', 'ops'] };
    await client.request({ method: 'GET', path: pools, as: { ...who, impersonate: true } });
    await client.request({ method: 'GET', path: pools, as: { ...who, impersonate: false } });
    expect(api.asked[0]?.headers['impersonate-user']).toBe('vera');
    const raw = api.asked[0]?.rawHeaders ?? [];
    expect(raw.filter((_, at) => raw[at - 1] === 'Impersonate-Group')).toEqual(['dev', 'ops']);
    expect(api.asked[1]?.headers).not.toHaveProperty('impersonate-user');
  });

  it('reads over one kept connection', async () => {
    const client = new KubeClient(api.config());
    const sockets = new Set<unknown>();
    api.fault = (_asked, response) => {
      sockets.add(response.socket);
      return false;
    };
    for (let n = 0; n < 10; n++) await client.request({ method: 'GET', path: pools });
    expect(sockets.size).toBe(1);
  });

  it('reads again when the kept connection was closed meanwhile, and never sends a write twice', async () => {
    const client = new KubeClient(api.config());
    await client.request({ method: 'GET', path: pools });
    let cut = true;
    api.fault = (_asked, response) => {
      if (cut) response.destroy();
      const did = cut;
      cut = false;
      return did;
    };
    await client.request({ method: 'GET', path: pools });
    expect(api.asked).toHaveLength(3);
    cut = true;
    const error = await failure(client.request({ method: 'POST', path: pools, body: {} }));
    expect(error).toMatchObject({ cause: 'network' });
    expect(api.asked).toHaveLength(4);
  });

  it('tells a time-out from a refusal and from a lost connection', async () => {
    const client = new KubeClient(api.config());
    api.fault = () => true;
    expect(await failure(client.request({ method: 'GET', path: pools, timeoutMs: 30 }))).toMatchObject({
      cause: 'timeout',
    });
    api.fault = (_asked, response) => {
      sendStatus(response, 403, 'no', { reason: 'Forbidden' });
      return true;
    };
    const refused = await failure(client.request({ method: 'GET', path: pools }));
    expect(refused).toBeInstanceOf(KubeError);
    expect(refused).toMatchObject({ cause: 'http', status: 403, message: 'no', kubeStatus: { reason: 'Forbidden' } });
    await api.crash();
    expect(await failure(client.request({ method: 'GET', path: pools }))).toMatchObject({
      cause: 'network',
      code: 'ECONNREFUSED',
    });
    await api.listen();
  });

  it('stops when it is told to', async () => {
    api.fault = () => true;
    const stop = new AbortController();
    const error = failure(new KubeClient(api.config()).request({ method: 'GET', path: pools, signal: stop.signal }));
    await until(() => expect(api.asked).toHaveLength(1));
    stop.abort(new Error('enough'));
    expect(await error).toMatchObject({ message: 'enough' });
  });

  it('keeps the path of a server that lives below one', async () => {
    const config = { ...api.config(), server: new URL(`${api.url}/k8s/clusters/c1/`) };
    api.fault = (_asked, response) => {
      sendJson(response, 200, {});
      return true;
    };
    await new KubeClient(config).request({ method: 'GET', path: '/version' });
    expect(api.asked[0]?.path).toBe('/k8s/clusters/c1/version');
  });
});

describe('watches', () => {
  it('cuts lines whatever the chunks, also in the middle of a character', async () => {
    const text = '{"a":"漢字"}\n\n{"b":1}\n{"c":';
    api.fault = (_asked, response) => {
      response.writeHead(200);
      const bytes = Buffer.from(text);
      void (async () => {
        for (const byte of bytes) {
          response.write(Buffer.from([byte]));
          await new Promise(setImmediate);
        }
        response.end();
      })();
      return true;
    };
    const lines: string[] = [];
    const opened = vi.fn();
    await new KubeClient(api.config()).stream(
      { method: 'GET', path: pools },
      { onOpen: opened, onBytes: () => undefined, onLine: (line) => lines.push(line) },
    );
    expect(lines).toEqual(['{"a":"漢字"}', '{"b":1}']);
    expect(opened).toHaveBeenCalledOnce();
  });

  it('takes what its reader throws for what it is, not for a fault of the network', async () => {
    api.fault = (_asked, response) => {
      response.writeHead(200).write('{"a":1}\n');
      return true;
    };
    const fault = new TypeError('a fault of the reader');
    const onLine = () => {
      throw fault;
    };
    const handlers = { onOpen: vi.fn(), onBytes: vi.fn(), onLine };
    const done = failure(new KubeClient(api.config()).stream({ method: 'GET', path: pools }, handlers));
    expect(await done).toBe(fault);
  });

  it('has no time limit once it is open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const handlers = { onOpen: vi.fn(), onBytes: vi.fn(), onLine: vi.fn() };
    const stop = new AbortController();
    const done = failure(
      new KubeClient(api.config()).stream(
        { method: 'GET', path: pools, query: { watch: true }, signal: stop.signal },
        handlers,
      ),
    );
    await until(() => expect(handlers.onOpen).toHaveBeenCalled());
    vi.advanceTimersByTime(60_000);
    api.set(pools, { metadata: { name: 'a', namespace: 'demo', uid: 'a' } });
    await until(() => expect(handlers.onLine).toHaveBeenCalledOnce());
    stop.abort(new Error('enough'));
    expect(await done).toMatchObject({ message: 'enough' });
  });
});

describe('the console’s own credentials', () => {
  const bearer = () => api.asked.map(({ headers }) => headers.authorization);

  it('reads the token file again when the old token is refused, and a watch goes on with the new one', async () => {
    const token = api.file('token');
    writeFileSync(token, 'first\n');
    let valid = 'Bearer first';
    api.fault = (asked, response) => {
      if (asked.headers.authorization === valid) return false;
      sendStatus(response, 401, 'Unauthorized');
      return true;
    };
    const client = new KubeClient(api.config({ tokenFile: 'token' }));
    await client.request({ method: 'GET', path: pools });
    valid = 'Bearer second';
    writeFileSync(token, 'second\n');
    await client.request({ method: 'GET', path: pools });
    expect(bearer()).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
    await client.request({ method: 'GET', path: pools });
    expect(bearer()).toHaveLength(4);
    const stop = new AbortController();
    const opened = vi.fn();
    const done = failure(
      client.stream(
        { method: 'GET', path: pools, query: { watch: true }, signal: stop.signal },
        { onOpen: opened, onBytes: () => undefined, onLine: () => undefined },
      ),
    );
    await until(() => expect(opened).toHaveBeenCalled());
    stop.abort();
    await done;
  });

  /** A server with a certificate of its own. */
  const serve = async (port = 0) => {
    const certificate = loopbackCertificate();
    const world = { asked: 0, refuses: false };
    const server = https.createServer(certificate, (request, response) => {
      world.asked += 1;
      if (world.refuses) sendStatus(response, 401, 'Unauthorized');
      else if (request.url?.includes('watch=true')) response.writeHead(200).write('opened\n');
      else sendJson(response, 200, {});
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const end = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
    const connections = () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      );
    const address = server.address() as AddressInfo;
    return { ...certificate, port: address.port, end, connections, world };
  };
  const writeTrust = (cert: string, port: number): string => {
    const file = api.file('kubeconfig');
    const authority = Buffer.from(cert).toString('base64');
    const config = {
      clusters: [
        {
          name: 'c',
          cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': authority },
        },
      ],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  };
  const clientOf = (file: string) => new KubeClient(clusterConfig(readEnvironment({ CONSOLE_KUBECONFIG: file })));

  it('reads the authority again when the certificate is not its own, and sends the request once', async () => {
    const first = await serve();
    const client = clientOf(writeTrust(first.cert, first.port));
    await client.request({ method: 'GET', path: pools });
    await first.end();
    const second = await serve(first.port);
    writeTrust(second.cert, second.port);
    await client.request({ method: 'PATCH', path: pools, body: {} });
    expect(second.world.asked).toBe(1);
    await second.end();
  });

  it('keeps no connection of credentials that were replaced, once what runs on it has ended', async () => {
    const server = await serve();
    const client = clientOf(writeTrust(server.cert, server.port));
    const stop = new AbortController();
    const heard = vi.fn();
    const watching = failure(
      client.stream(
        { method: 'GET', path: pools, query: { watch: true }, signal: stop.signal },
        { onOpen: () => undefined, onBytes: () => undefined, onLine: heard },
      ),
    );
    await until(() => expect(heard).toHaveBeenCalled());
    await Promise.all([1, 2, 3].map(() => client.request({ method: 'GET', path: pools })));
    expect(await server.connections()).toBeGreaterThanOrEqual(4);
    writeTrust(`${server.cert}\n${loopbackCertificate().cert}`, server.port);
    server.world.refuses = true;
    await failure(client.request({ method: 'GET', path: pools }));
    server.world.refuses = false;
    await client.request({ method: 'GET', path: pools });
    // The watch, and the one of the new credentials.
    await vi.waitFor(async () => expect(await server.connections()).toBe(2), 5_000);
    stop.abort();
    await watching;
    await vi.waitFor(async () => expect(await server.connections()).toBe(1), 5_000);
    await server.end();
  });

  it('asks for one new token, however many requests were refused', async () => {
    writeFileSync(api.file('token'), 'first');
    const client = new KubeClient(api.config({ tokenFile: 'token' }));
    await client.request({ method: 'GET', path: pools });
    writeFileSync(api.file('token'), 'second');
    api.fault = (asked, response) => {
      if (asked.headers.authorization === 'Bearer second') return false;
      sendStatus(response, 401, 'Unauthorized');
      return true;
    };
    await Promise.all([1, 2, 3].map(() => client.request({ method: 'GET', path: pools })));
    expect(bearer().filter((each) => each === 'Bearer second')).toHaveLength(3);
  });

  it('gives up after one new try, with the words of the API server', async () => {
    api.fault = (_asked, response) => {
      sendStatus(response, 401, 'Unauthorized');
      return true;
    };
    const error = await failure(new KubeClient(api.config({ token: 'wrong' })).request({ method: 'GET', path: pools }));
    expect(error).toMatchObject({ status: 401, message: 'Unauthorized' });
    expect(api.asked).toHaveLength(2);
  });

  it('takes tokens from exec plugins and names with passwords', async () => {
    const credential = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'from-plugin' },
    });
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'echo',
      args: [credential],
      interactiveMode: 'Never',
    };
    await new KubeClient(api.config({ exec })).request({ method: 'GET', path: pools });
    await new KubeClient(api.config({ username: 'vera', password: 'pass' })).request({ method: 'GET', path: pools });
    expect(bearer()).toEqual(['Bearer from-plugin', `Basic ${Buffer.from('vera:pass').toString('base64')}`]);
  });
});

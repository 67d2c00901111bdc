import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiServer, type ApiServerOptions, startApiServer } from './server';
import { AGENTS, openWatch } from './testing';

let server: ApiServer;

const start = async (options: ApiServerOptions = {}) => {
  server = await startApiServer(options);
};

afterEach(() => server.close());

/** A request whose body never ends, so that it stays in flight. */
function endless(): http.ClientRequest {
  const request = http.request(`${server.url}${AGENTS}/sandboxes`, {
    method: 'POST',
    headers: { Expect: '100-continue' },
  });
  request.on('error', () => undefined);
  request.write('{');
  return request;
}

describe('the in-flight limit', () => {
  it('turns further requests away, but not watches and health checks', async () => {
    await start({ maxInFlight: 1 });
    const request = endless();
    await new Promise((resolve) => request.once('continue', resolve));
    const refused = await fetch(`${server.url}${AGENTS}/sandboxes`);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.text()).toBe('Too many requests, please try again later.\n');
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const watch = await openWatch(`${server.url}/api/v1/namespaces?watch=1`);
    await watch.until(4);
    watch.stop();
    request.destroy();
    await expect.poll(async () => (await fetch(`${server.url}${AGENTS}/sandboxes`)).status).toBe(200);
  });
});

describe('what the server tells of itself', () => {
  it('counts requests, watches and objects', async () => {
    await start();
    await fetch(`${server.url}${AGENTS}/sandboxes/none`);
    await fetch(`${server.url}/made/up`);
    const watch = await openWatch(`${server.url}/api/v1/namespaces?watch=1`);
    await watch.until(4);
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toContain(
      'apiserver_request_total{code="404",component="apiserver",dry_run="",group="agents.kruise.io",resource="sandboxes",scope="resource",subresource="",verb="GET",version="v1alpha1"} 1\n',
    );
    expect(text).toMatch(/apiserver_longrunning_requests\{.*resource="namespaces".*verb="WATCH".*\} 1\n/);
    expect(text).toContain('apiserver_storage_objects{resource="customresourcedefinitions.apiextensions.k8s.io"} 11\n');
    expect(text).not.toContain('made');
    watch.stop();
  });

  it('answers single health checks and leaves some out', async () => {
    await start();
    const ask = async (path: string) => {
      const answer = await fetch(`${server.url}${path}`);
      return [answer.status, await answer.text()];
    };
    expect(await ask('/livez')).toEqual([200, 'ok']);
    expect(await ask('/readyz/etcd')).toEqual([200, 'ok']);
    expect((await ask('/livez/none'))[0]).toBe(404);
    expect((await ask('/readyz?verbose&exclude=etcd'))[1]).toMatch(
      /\[\+\]etcd excluded: ok\n\[\+\]etcd-readiness ok\n/,
    );
  });
});

describe('the port', () => {
  it('speaks https as well, with a certificate of its own', async () => {
    await start();
    const code = await new Promise((resolve, reject) => {
      https
        .get(`https://127.0.0.1:${server.port}/version`, { ca: server.ca }, (answer) => resolve(answer.statusCode))
        .on('error', reject);
    });
    expect(code).toBe(200);
  });

  it('keeps its certificate when the server is started again on its data', async () => {
    await start();
    const { ca, store: storage, port } = server;
    await server.close();
    await start({ storage, port });
    expect(server.ca).toBe(ca);
  });

  it('does not wait for connections that say nothing', async () => {
    await start();
    const silent = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => silent.once('connect', resolve));
    const closed = new Promise((resolve) => silent.once('close', resolve));
    silent.on('error', () => undefined);
    await server.close();
    await closed;
    await start();
  });
});

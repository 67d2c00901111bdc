import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldsOf, listOf, textOf } from './core/objects';
import { type ApiServer, startApiServer } from './server';
import { AGENTS, sandbox, send } from './testing';

let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer();
});

afterEach(() => server.close());

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };
const configMap = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...more,
});

/** What a request line of one's own is answered. */
function ask(target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(`GET ${target} HTTP/1.0\r\n\r\n`));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket
      .on('close', () => resolve(`${/\d{3}/.exec(text)?.[0]} ${text.split('\r\n\r\n').at(-1)}`))
      .on('error', reject);
  });
}

const post = (path: string, body: string) =>
  fetch(`${server.url}${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });

// Every answer here is one of kube-apiserver 1.35.4.
describe('request lines', () => {
  it.each([
    ['/constructor/x', '404 404 page not found\n'],
    ['*', '404 404 page not found\n'],
    ['//', '404 404 page not found\n'],
    ['/api#x', '404 404 page not found\n'],
    ['/%zz', '400 400 Bad Request'],
    // Node's parser answers these itself, without the words.
    [':99999/api', '400 '],
    ['@x/api', '400 '],
    ['?', '400 '],
  ])('%s is no way out', async (target, answer) => {
    expect(await ask(target)).toBe(answer);
  });

  it.each(['http://evil/api', 'http://evil:99999/api', '/api?%'])('%s is answered', async (target) => {
    expect(await ask(target)).toMatch(/^200 \{"kind":"APIVersions"/);
  });
});

describe('names that every JavaScript object has', () => {
  it('are no way into a prototype', async () => {
    await send(`${server.url}${CONFIGMAPS}`, 'POST', configMap('a'));
    const patch = [{ op: 'add', path: '/metadata/__proto__/polluted', value: 'yes' }];
    expect((await send(`${server.url}${CONFIGMAPS}/a`, 'PATCH', patch, JSON_PATCH)).status).toBe(422);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('are keys like any other', async () => {
    await send(`${server.url}${CONFIGMAPS}`, 'POST', configMap('a', { data: { constructor: 'x' } }));
    const patch = JSON.parse('{"data":{"__proto__":"y","toString":"z"}}');
    const { body } = await send(`${server.url}${CONFIGMAPS}/a`, 'PATCH', patch, MERGE);
    expect(JSON.stringify(body.data)).toBe('{"constructor":"x","__proto__":"y","toString":"z"}');
  });

  it('are no labels, and no fields of a schema', async () => {
    await send(`${server.url}${AGENTS}/sandboxes`, 'POST', sandbox('a', {}, { constructor: 1, toString: {} }));
    const { body } = await send(`${server.url}${AGENTS}/sandboxes?labelSelector=!constructor`, 'GET');
    expect(listOf(body, 'items')).toHaveLength(1);
    expect(Object.keys(fieldsOf(listOf(body, 'items')[0], 'spec'))).not.toContain('constructor');
  });
});

describe('bodies', () => {
  it('may be 10,000 levels deep', async () => {
    const deep = (levels: number) =>
      JSON.stringify(configMap('a')).replace('}}', `},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    expect((await post(`${CONFIGMAPS}?dryRun=All`, deep(9_000))).status).toBe(201);
    const answer = await post(CONFIGMAPS, deep(10_000));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("json parse error: invalid character '[' exceeded max depth");
  });

  it.each([
    [{ finalizers: [1] }, 'cannot unmarshal number into Go struct field ObjectMeta.finalizers of type string'],
    [
      { ownerReferences: [1] },
      'cannot unmarshal number into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference',
    ],
    [
      { ownerReferences: [{ uid: 1 }] },
      'cannot unmarshal number into Go struct field OwnerReference.ownerReferences.uid of type types.UID',
    ],
    [{ finalizers: [null] }, 'metadata.finalizers: Invalid value: "": name part must be non-empty'],
    [{ ownerReferences: [null] }, 'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty'],
  ])('metadata %j is refused', async (metadata, why) => {
    const body = { ...sandbox('a'), metadata: { name: 'a', ...metadata } };
    const answer = await send(`${server.url}${AGENTS}/sandboxes`, 'POST', body);
    expect(textOf(answer.body, 'message')).toContain(why);
  });

  it('takes a null in labels for an empty text', async () => {
    const { body } = await send(
      `${server.url}${CONFIGMAPS}`,
      'POST',
      configMap('a', { metadata: { name: 'a', labels: { x: null } } }),
    );
    expect(fieldsOf(body, 'metadata', 'labels')).toEqual({ x: '' });
  });
});

describe('YAML', () => {
  it.each(['application/yaml', 'application/apply-patch+yaml'])(
    'that contains itself is refused (%s)',
    async (type) => {
      const isApply = type.includes('apply');
      const answer = await fetch(`${server.url}${CONFIGMAPS}${isApply ? '/a?fieldManager=x' : ''}`, {
        method: isApply ? 'PATCH' : 'POST',
        headers: { 'Content-Type': type },
        body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &a\n  b: *a',
      });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('contains itself');
    },
  );
});

describe('continue tokens', () => {
  it.each([
    ['null', 'server does not recognize this encoded version'],
    ['[]', 'json: cannot unmarshal array into Go value of type storage.continueToken'],
  ])('%s is none', async (token, why) => {
    const { status, body } = await send(
      `${server.url}${CONFIGMAPS}?continue=${Buffer.from(token).toString('base64url')}`,
      'GET',
    );
    expect(status).toBe(400);
    expect(textOf(body, 'message')).toContain(why);
  });
});

describe('warnings', () => {
  it('hold whatever a field is called, as UTF-8 and without control characters', async () => {
    const answer = await post(CONFIGMAPS, JSON.stringify(configMap('a', { '吝\n\u0001ü': 1 })));
    const bytes = Buffer.from(answer.headers.get('warning') ?? '', 'latin1');
    expect(bytes.toString()).toBe(String.raw`299 - "unknown field \"吝\\n\\x01ü\""`);
  });

  it('are cut and left out where there are too many', async () => {
    const names = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`z${index + 10}`.repeat(50), 1]));
    const answer = await post(CONFIGMAPS, JSON.stringify(configMap('a', names)));
    expect(answer.headers.get('warning')?.split('299 - ')).toHaveLength(1 + 25);
  });
});

it('lets go of a client that leaves without a word', async () => {
  const socket = connect(server.port, '127.0.0.1', () => socket.end());
  await new Promise((resolve) => socket.once('close', resolve));
});

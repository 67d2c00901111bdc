import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../core/objects';
import { type ApiServer, startApiServer } from '../server';
import { AGENTS, sandbox, send } from '../testing';
import { bearer, TENANT_NAMESPACE } from './people';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const NAMESPACED = `${RBAC}/namespaces/default`;
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';

let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ anonymous: 'refused' });
});

afterEach(() => server.close());

const call = (who: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(`${server.url}${path}`, method, body, { ...bearer(who), ...headers });

const as = (user: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call('admin', method, path, body, { 'Impersonate-User': user, ...headers });

const status = async (answer: Promise<{ status: number }>) => (await answer).status;

async function grant(rules: object[], user: string) {
  await call('admin', 'POST', `${NAMESPACED}/roles`, { metadata: { name: user }, rules });
  await call('admin', 'POST', `${NAMESPACED}/rolebindings`, {
    metadata: { name: user },
    subjects: [{ kind: 'User', name: user }],
    roleRef: { kind: 'Role', name: user },
  });
}

const rule = (verbs: string[], apiGroup: string, ...resources: string[]) => ({
  verbs,
  apiGroups: [apiGroup],
  resources,
});

describe('who asks', () => {
  it('nobody is refused, except for what is public', async () => {
    const refused = await send(`${server.url}/api/v1/pods`, 'GET');
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('"system:anonymous"') } });
    expect(await status(send(`${server.url}/version`, 'GET'))).toBe(200);
    expect(await status(send(`${server.url}/api/v1/pods`, 'GET', undefined, { Authorization: 'Bearer x' }))).toBe(401);
  });

  it('every built-in person may do what their name says', async () => {
    const pools = `${AGENTS}/sandboxsets`;
    await call('admin', 'POST', pools, {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxSet',
      metadata: { name: 'web' },
      spec: { replicas: 1, template: { spec: { containers: [{ name: 'a', image: 'a:1' }] } } },
    });
    const tenantPools = pools.replace('default', TENANT_NAMESPACE);
    const attempts: [string, string, unknown?][] = [
      ['GET', pools],
      ['PATCH', `${pools}/web/scale`, { spec: { replicas: 2 } }],
      ['PATCH', `${pools}/web`, { spec: { replicas: 3 } }],
      ['GET', tenantPools],
      ['GET', '/api/v1/secrets'],
      ['GET', '/api/v1/nodes'],
    ];
    const rights = async (who: string) =>
      Promise.all(attempts.map(([method, path, body]) => status(call(who, method, path, body))));
    expect(await rights('admin')).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await rights('operator')).toEqual([200, 200, 200, 200, 403, 200]);
    expect(await rights('viewer')).toEqual([200, 403, 403, 200, 403, 200]);
    expect(await rights('scaler')).toEqual([200, 200, 403, 200, 403, 200]);
    expect(await rights('tenant')).toEqual([403, 403, 403, 200, 403, 403]);
  });

  it('a service account by its token, until the account is gone', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await call('admin', 'POST', accounts, { metadata: { name: 'bot' } });
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const token = textOf((await call('admin', 'POST', `${accounts}/bot/token`, request)).body, 'status', 'token');
    const ask = () =>
      send(`${server.url}${AUTHENTICATION}/selfsubjectreviews`, 'POST', {}, { Authorization: `Bearer ${token}` });
    expect((await ask()).body).toMatchObject({
      status: {
        userInfo: {
          username: 'system:serviceaccount:default:bot',
          groups: expect.arrayContaining(['system:serviceaccounts:default']),
        },
      },
    });
    const review = (value: string) =>
      call('admin', 'POST', `${AUTHENTICATION}/tokenreviews`, { spec: { token: value } });
    expect((await review(token)).body).toMatchObject({ status: { authenticated: true } });
    expect((await review(`${token}x`)).body).toMatchObject({ status: { error: 'invalid bearer token' } });
    await call('admin', 'DELETE', `${accounts}/bot`);
    expect((await ask()).status).toBe(401);
  });
});

describe('impersonation', () => {
  it('is for who may, with groups, uid and extras', async () => {
    const seen = await as(
      'alice',
      'POST',
      `${AUTHENTICATION}/selfsubjectreviews`,
      {},
      {
        'Impersonate-Group': 'g1',
        'Impersonate-Uid': 'u1',
        'Impersonate-Extra-Scopes': 'view',
      },
    );
    expect(seen.body).toMatchObject({
      status: {
        userInfo: { username: 'alice', uid: 'u1', groups: ['g1', 'system:authenticated'], extra: { scopes: ['view'] } },
      },
    });
    const refused = await call('viewer', 'GET', '/api/v1/pods', undefined, { 'Impersonate-User': 'bob' });
    expect(refused.body.message).toBe(
      'users "bob" is forbidden: User "viewer" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  });

  it('of a group needs a user', async () => {
    const refused = await call('admin', 'GET', '/api/v1/pods', undefined, { 'Impersonate-Group': 'x' });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'requested [{Group  x    }] without impersonating a user' },
    });
  });
});

describe('rights', () => {
  it('change with the binding, at once', async () => {
    const list = () => status(as('vera', 'GET', `${AGENTS}/sandboxes`));
    expect(await list()).toBe(403);
    await grant([rule(['list'], 'agents.kruise.io', 'sandboxes')], 'vera');
    expect(await list()).toBe(200);
    await call('admin', 'DELETE', `${NAMESPACED}/rolebindings/vera`);
    expect(await list()).toBe(403);
  });

  it('hold for named objects and for subresources where the rule says so', async () => {
    await call('admin', 'POST', `${AGENTS}/sandboxes`, sandbox('one'));
    await grant(
      [{ ...rule(['get'], 'agents.kruise.io', 'sandboxes'), resourceNames: ['one'] }, rule(['get'], '', '*/log')],
      'vera',
    );
    expect(await status(as('vera', 'GET', `${AGENTS}/sandboxes/one`))).toBe(200);
    expect(await status(as('vera', 'GET', `${AGENTS}/sandboxes/two`))).toBe(403);
    expect(await status(as('vera', 'GET', `${AGENTS}/sandboxes/one/status`))).toBe(403);
    expect(await status(as('vera', 'GET', '/api/v1/namespaces/default/pods/none/log'))).toBe(404);
    expect(await status(as('vera', 'GET', '/api/v1/namespaces/default/pods/none'))).toBe(403);
  });

  it('to paths come from cluster roles', async () => {
    expect(await as('vera', 'GET', '/metrics')).toMatchObject({
      status: 403,
      body: { message: 'forbidden: User "vera" cannot get path "/metrics"', details: {} },
    });
    const metrics = await fetch(`${server.url}/metrics`, { headers: bearer('viewer') });
    expect(metrics.status).toBe(200);
  });

  it('cannot be given away by who does not have them', async () => {
    const binding = {
      metadata: { name: 'vera' },
      subjects: [{ kind: 'User', name: 'vera' }],
      roleRef: { kind: 'ClusterRole', name: 'admin' },
    };
    await call('admin', 'POST', `${NAMESPACED}/rolebindings`, binding);
    const roles = `${NAMESPACED}/roles`;
    const role = (name: string, resource: string) => ({ metadata: { name }, rules: [rule(['get'], '', resource)] });
    // `admin` takes in `edit`, and `edit` takes in `view`.
    expect(await status(as('vera', 'POST', roles, role('fine', 'pods')))).toBe(201);
    expect((await as('vera', 'POST', roles, role('more', 'nodes'))).body).toMatchObject({
      code: 403,
      message:
        'roles.rbac.authorization.k8s.io "more" is forbidden: user "vera" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}',
    });
    const upwards = { ...binding, metadata: { name: 'up' }, roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } };
    expect(await status(as('vera', 'POST', `${NAMESPACED}/rolebindings`, upwards))).toBe(403);
  });

  it('of an aggregated role follow the roles that are labelled for it', async () => {
    const view = async () => (await call('admin', 'GET', `${RBAC}/clusterroles/view`)).body.rules;
    const extra = rule(['get'], 'example.org', 'things');
    expect(await view()).not.toContainEqual(extra);
    await call('admin', 'POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'more', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [extra],
    });
    expect(await view()).toContainEqual(extra);
  });

  it('name the role that is missing', async () => {
    await call('admin', 'POST', `${NAMESPACED}/rolebindings`, {
      metadata: { name: 'dangling' },
      subjects: [{ kind: 'User', name: 'zoe' }],
      roleRef: { kind: 'Role', name: 'gone' },
    });
    const refused = await as('zoe', 'GET', `${AGENTS}/sandboxes`);
    expect(refused.body.message).toMatch(/: RBAC: role\.rbac\.authorization\.k8s\.io "gone" not found$/);
  });

  it.each([
    ['roles', { rules: 1 }, 'json: cannot unmarshal number into Go struct field Role.rules of type []v1.PolicyRule'],
    [
      'roles',
      { rules: [{ verbs: ['get', 5] }] },
      'json: cannot unmarshal number into Go struct field PolicyRule.rules.verbs of type string',
    ],
    [
      'roles',
      { rules: [null] },
      'rules[0].resources: Required value: resource rules must supply at least one resource',
    ],
    [
      'rolebindings',
      { roleRef: 'a' },
      'json: cannot unmarshal string into Go struct field RoleBinding.roleRef of type v1.RoleRef',
    ],
    [
      'rolebindings',
      { subjects: [{ kind: 'Foo', name: 'x' }], roleRef: { kind: 'Role', name: 'r' } },
      'subjects[0].kind: Unsupported value: "Foo": supported values: "ServiceAccount", "User", "Group"',
    ],
  ])('are not made of %s like %j', async (plural, fields, why) => {
    const refused = await call('admin', 'POST', `${NAMESPACED}/${plural}`, { metadata: { name: 'x' }, ...fields });
    expect(refused.body.message).toContain(why);
  });

  it('are bound to one role for ever', async () => {
    await grant([], 'vera');
    const changed = await call('admin', 'PATCH', `${NAMESPACED}/rolebindings/vera`, { roleRef: { name: 'other' } });
    expect(changed).toMatchObject({ status: 422, body: { message: expect.stringContaining('cannot change roleRef') } });
  });
});

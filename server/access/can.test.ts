import { describe, expect, it, vi } from 'vitest';
import { type AccessClient, can, forgetAccess } from './can';
import { builtInPrincipal } from './principal';
import { scopeOf } from './scope';

type Attributes = { verb: string; group: string; resource: string; subresource?: string; namespace?: string };

/** Answers reviews as a cluster whose rights are `allows`; counts what it is asked. */
function cluster(allows: (a: Attributes) => boolean) {
  const asked: Attributes[] = [];
  const client: AccessClient = {
    async request({ body }) {
      const { resourceAttributes } = (body as { spec: { resourceAttributes: Attributes } }).spec;
      asked.push(resourceAttributes);
      return { body: { status: { allowed: allows(resourceAttributes) } } };
    },
  };
  return { client, asked };
}

const person = builtInPrincipal();
const scale = {
  verb: 'patch',
  group: 'agents.kruise.io',
  resource: 'sandboxsets',
  subresource: 'scale',
  namespace: 'a',
};
const template = { verb: 'patch', group: 'agents.kruise.io', resource: 'sandboxsets', namespace: 'a' };

describe('can', () => {
  it('tells the scale subresource from the pool itself, and patch from update', async () => {
    const { client } = cluster((a) => a.verb === 'patch' && a.subresource === 'scale' && a.namespace === 'a');
    expect(await can(client, person, scale)).toEqual({ state: 'allowed' });
    expect(await can(client, person, template)).toEqual({ state: 'denied' });
    expect(await can(client, person, { ...scale, namespace: 'b' })).toEqual({ state: 'denied' });
  });

  it('denies both forms to who may update but not patch', async () => {
    const { client } = cluster((a) => a.verb === 'update');
    expect(await can(client, person, scale)).toEqual({ state: 'denied' });
    expect(await can(client, person, template)).toEqual({ state: 'denied' });
  });

  it('asks once a minute, and per person', async () => {
    const { client, asked } = cluster(() => true);
    await Promise.all([can(client, person, scale, 0), can(client, person, scale, 59_000)]);
    expect(asked).toHaveLength(1);
    await can(client, person, scale, 60_000);
    expect(asked).toHaveLength(2);
    await can(client, { ...person, subject: 'vera' }, scale, 60_000);
    expect(asked).toHaveLength(3);
    forgetAccess(client);
    await can(client, person, scale, 60_000);
    expect(asked).toHaveLength(4);
  });

  it('answers unknown, not denied, when the API server cannot be asked, and asks again', async () => {
    let up = false;
    const client: AccessClient = {
      async request() {
        if (!up) throw new Error('connect ECONNREFUSED');
        return { body: { status: { allowed: true } } };
      },
    };
    expect(await can(client, person, scale)).toEqual({ state: 'unknown', error: 'connect ECONNREFUSED' });
    up = true;
    expect(await can(client, person, scale)).toEqual({ state: 'allowed' });
  });

  it('takes the authorizer’s own failure for unknown', async () => {
    const client: AccessClient = {
      async request() {
        return { body: { status: { allowed: false, evaluationError: 'webhook authorizer timed out' } } };
      },
    };
    expect(await can(client, person, scale)).toEqual({ state: 'unknown', error: 'webhook authorizer timed out' });
  });
});

describe('scopeOf', () => {
  it('shows everything to who may list everywhere, with one question a kind', async () => {
    const { client, asked } = cluster(() => true);
    const scope = await scopeOf(client, person, ['a', 'b']);
    expect(scope.maySee('sandboxes', 'b')).toBe(true);
    expect(scope.maySee('nodes')).toBe(true);
    expect(asked).toHaveLength(6);
  });

  it('shows a namespace’s rows to who may list there only, and that namespace, but no other and no nodes', async () => {
    const { client } = cluster((a) => a.namespace === 'a' && a.resource === 'sandboxsets');
    const scope = await scopeOf(client, person, ['a', 'b']);
    expect(scope.maySee('sandboxsets', 'a')).toBe(true);
    expect(scope.maySee('sandboxsets', 'b')).toBe(false);
    expect(scope.maySee('sandboxes', 'a')).toBe(false);
    expect(scope.maySee('namespaces', 'a')).toBe(true);
    expect(scope.maySee('namespaces', 'b')).toBe(false);
    expect(scope.maySee('nodes')).toBe(false);
  });
});

describe('scopeOf in a cluster of many namespaces', () => {
  const many = Array.from({ length: 500 }, (_, i) => `n-${i}`);

  /** Answers a question only when it is told to, so that those that are open can be counted. */
  function slowCluster(answerFor: (a: Attributes) => boolean | 'none') {
    const world = { open: 0, most: 0, asked: 0 };
    const client: AccessClient = {
      async request({ body }) {
        const { resourceAttributes } = (body as { spec: { resourceAttributes: Attributes } }).spec;
        world.asked += 1;
        world.open += 1;
        world.most = Math.max(world.most, world.open);
        await new Promise((resolve) => setImmediate(resolve));
        world.open -= 1;
        const allowed = answerFor(resourceAttributes);
        if (allowed === 'none') throw new Error('no answer within 5 s');
        return { body: { status: { allowed } } };
      },
    };
    return { client, world };
  }

  it('asks a bounded number of questions at once, each of them once', async () => {
    const { client, world } = slowCluster((a) => a.namespace?.endsWith('7') ?? false);
    const [scope] = await Promise.all([scopeOf(client, person, many), scopeOf(client, person, many)]);
    expect(many.filter((namespace) => scope.maySee('sandboxes', namespace))).toHaveLength(50);
    expect(world.asked).toBe(6 + 4 * many.length);
    expect(world.most).toBeLessThanOrEqual(16);
    await scopeOf(client, person, many);
    expect(world.asked).toBe(6 + 4 * many.length);
  });

  it('passes over a question without an answer, and gives up when there are no answers', async () => {
    const flaky = slowCluster((a) => (a.namespace === 'n-3' && a.resource === 'sandboxes' ? 'none' : 'namespace' in a));
    const scope = await scopeOf(flaky.client, person, many);
    expect(many.filter((namespace) => !scope.maySee('sandboxes', namespace))).toEqual(['n-3']);
    const silent = slowCluster(() => 'none');
    const nothing = await scopeOf(silent.client, person, many);
    expect(many.some((namespace) => nothing.maySee('sandboxes', namespace))).toBe(false);
    expect(silent.world.asked).toBe(6 + 16);
  });

  it('asks the others first, the next time, where more questions stay without an answer than are asked at once', async () => {
    const mute = many.slice(0, 20);
    const { client } = slowCluster((a) =>
      a.resource === 'sandboxes' && mute.includes(a.namespace ?? '') ? 'none' : 'namespace' in a,
    );
    await scopeOf(client, person, many);
    const scope = await scopeOf(client, person, many);
    expect(many.filter((namespace) => !scope.maySee('sandboxes', namespace))).toEqual(mute);
    expect(many.filter((namespace) => !scope.maySee('sandboxsets', namespace))).toEqual([]);
  });

  it('goes by what was answered last while nothing is, for a quarter of an hour, and never takes silence for a no', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      let up = true;
      const { client } = slowCluster((a) => (up ? Number(a.namespace?.slice(2)) % 2 === 0 : 'none'));
      const seen = async () => {
        const scope = await scopeOf(client, person, many);
        return {
          sees: many.filter((namespace) => scope.maySee('sandboxes', namespace)).length,
          unchecked: many.filter((namespace) => scope.isUnchecked?.('sandboxes', namespace)).length,
          gone: scope.isUnchecked?.('sandboxes', 'gone'),
        };
      };
      expect(await seen()).toEqual({ sees: 250, unchecked: 0, gone: false });
      up = false;
      vi.advanceTimersByTime(14 * 60_000);
      expect(await seen()).toEqual({ sees: 250, unchecked: 0, gone: false });
      expect(await can(client, person, { verb: 'list', group: 'agents.kruise.io', resource: 'sandboxes' })).toEqual({
        state: 'unknown',
        error: 'no answer within 5 s',
        last: 'denied',
      });
      vi.advanceTimersByTime(60_000);
      expect(await seen()).toEqual({ sees: 0, unchecked: 500, gone: true });
      up = true;
      expect(await seen()).toEqual({ sees: 250, unchecked: 0, gone: false });
    } finally {
      vi.useRealTimers();
    }
  });

  it('asks a question again that had no answer', async () => {
    let up = false;
    const { client } = slowCluster((a) => (a.namespace === 'n-3' && !up ? 'none' : 'namespace' in a));
    await scopeOf(client, person, many);
    up = true;
    expect((await scopeOf(client, person, many)).maySee('sandboxes', 'n-3')).toBe(true);
  });
});

describe('the built-in principal', () => {
  it('has the name it was given, and never impersonates', () => {
    expect(builtInPrincipal({ CONSOLE_USER: 'mara' })).toEqual({ subject: 'mara', groups: [], impersonate: false });
  });
});

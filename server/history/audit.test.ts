import { describe, expect, it } from 'vitest';
import { makeLog } from '../log';
import { type Intent, makeAudit } from './audit';

const intent: Intent = {
  action: 'scalePool',
  actor: 'mara',
  object: { kind: 'SandboxSet', namespace: 'lab', name: 'web', uid: 'u-1' },
  before: { replicas: 3 },
  after: { replicas: 12 },
  summary: '3 → 12',
  requestId: 'req-00001',
};

function capture() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: makeLog({ write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

describe('audit', () => {
  it('writes who, what, before and after, first as intent and then with the outcome', () => {
    const { lines, log } = capture();
    const audit = makeAudit(log, () => 42);
    const id = audit.intend(intent);
    expect(lines).toHaveLength(1);
    const refusal = { reason: 'noTemplate' as const, values: { pool: 'web' } };
    audit.conclude(
      id,
      { ...intent, reason: 'OPS-1' },
      { result: 'refused', message: 'no', code: 'forbidden', refusal },
    );
    expect(lines).toMatchObject([
      { key: 'audit.intent', id, ...intent },
      {
        key: 'audit.outcome',
        id,
        ...intent,
        reason: 'OPS-1',
        result: 'refused',
        message: 'no',
        refusal,
        level: 'warn',
      },
    ]);
    const { uid: _uid, ...object } = intent.object;
    const { action, actor, summary } = intent;
    expect(audit.recent()).toEqual([
      { id, at: 42, actor, action, object, summary, result: 'refused', message: 'no', ...refusal },
    ]);
  });

  it('keeps the last 200, newest first', () => {
    const audit = makeAudit(capture().log);
    for (let i = 0; i < 205; i++) audit.conclude(`r-${i}`, intent, { result: 'accepted' });
    expect(audit.recent()).toHaveLength(200);
    expect(audit.recent()[0]?.id).toBe('r-204');
  });

  it('tells what one request did to many objects as one, by how it came off, and logs each', () => {
    const { lines, log } = capture();
    const audit = makeAudit(log, () => 42);
    audit.conclude('r-before', intent, { result: 'accepted' });
    const refusal = { reason: 'notNow' as const, values: {} };
    const remove = (name: string, outcome: Parameters<typeof audit.conclude>[2], over: Partial<Intent> = {}) =>
      audit.conclude(
        `r-${name}`,
        {
          ...intent,
          action: 'deleteSandbox',
          object: { kind: 'Sandbox', namespace: 'lab', name, uid: name },
          requestId: 'req-bulk1',
          ...over,
        },
        outcome,
      );
    for (let i = 0; i < 500; i++)
      remove(`box-${i}`, i % 10 === 9 ? { result: 'refused', refusal } : { result: 'accepted' });
    remove('box-x', { result: 'unknown' });
    remove('box-y', { result: 'unknown' });
    remove('box-z', { result: 'accepted' }, { requestId: 'req-other' });
    const told = audit.recent().map(({ id, result, others = 0 }) => `${id} ${result} +${others}`);
    expect(told).toEqual([
      'r-box-z accepted +0',
      'r-box-y unknown +0',
      'r-box-x unknown +0',
      'r-box-9 refused +49',
      'r-box-0 accepted +449',
      'r-before accepted +0',
    ]);
    expect(lines).toHaveLength(504);
    audit.settle(({ object }) => object.name === 'box-x');
    expect(audit.recent()[2]).toMatchObject({ id: 'r-box-x', result: 'observed' });
  });
});

describe('the log', () => {
  it('masks secrets by their key at any depth', () => {
    const { lines, log } = capture();
    log.info({
      key: 'x',
      object: {
        metadata: {
          annotations: {
            'agents.kruise.io/runtime-access-token': 'SECRET-1',
            'e2b.agents.kruise.io/envd-access-token': 'SECRET-2',
            'agents.kruise.io/init-runtime-request': '{"accessToken":"SECRET-3"}',
            'kubectl.kubernetes.io/last-applied-configuration': 'SECRET-4',
            'note.example.net/ticket': 'OPS-1182',
          },
        },
        spec: { containers: [{ env: [{ name: 'API_TOKEN', value: 'SECRET-5' }] }] },
      },
      headers: { Authorization: 'Bearer SECRET-6', cookie: 'SECRET-7' },
    });
    const text = JSON.stringify(lines);
    expect(text).not.toContain('SECRET-');
    expect(text).toContain('OPS-1182');
  });
});

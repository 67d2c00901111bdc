import { beforeEach, expect, it } from 'vitest';
import { mark as markSchema, type SetMarkRequest } from '@/lib/contracts/triage';
import { sandbox } from '@/lib/domain/rows.testing';
import { builtInPrincipal } from '../../access/principal';
import { makeAudit } from '../../history/audit';
import { type History, makeHistory } from '../../history/database';
import { LimitsStore } from '../../history/limits';
import { MarkVersions } from '../../history/mark-versions';
import { onBothDatabases } from '../../history/testing';
import { makeLog } from '../../log';
import { listActions } from '../actions/list-actions';
import { readLimits } from '../limits/read-limits';
import { setLimits } from '../limits/set-limits';
import { listMarks } from './list-marks';
import { removeMark } from './remove-mark';
import { setMark } from './set-mark';
import type { TriageContext } from './triage-context';

const now = 1_800_000_000_000;
const hour = 3_600_000;
let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
});

function context(history: History, person = 'mara', namespaces = ['lab', 'prod']): TriageContext {
  const audit = makeAudit(makeLog({ write: (line: string) => void lines.push(JSON.parse(line)) }), () => now);
  return {
    principal: builtInPrincipal({ CONSOLE_USER: person }),
    requestId: 'req-1',
    audit,
    history,
    limits: new LimitsStore(history, () => now),
    store: () => history.state(),
    said: async () => undefined,
    scope: { maySee: (_kind, namespace) => namespace !== undefined && namespaces.includes(namespace) },
    sandbox: (uid) => (uid === 'u-1' ? sandbox({ uid, ns: 'lab', name: 'box-1' }) : undefined),
    now: () => now,
  };
}

const scope = { ns: 'lab', pool: 'web', state: 'Resuming', cause: 'InitImageMismatch', node: 'worker-12' };
const ask = (over: Partial<SetMarkRequest> = {}): SetMarkRequest => ({ scope, version: 0, kind: 'ack', ...over });
const marksOf = async (ctx: TriageContext, namespaces?: string[]) => {
  const listed = await listMarks(ctx, namespaces);
  return listed.ok ? listed.value.marks : [];
};

onBothDatabases((database) => {
  it('two people do not overwrite each other: the second is told who and when, and gets the other mark', async () => {
    const history = database.open();
    const [mara, li] = [context(history), context(history, 'li')];
    const first = await setMark(mara, ask({ note: 'draining worker-12' }));
    expect(first).toMatchObject({ ok: true, value: { mark: { by: 'mara', at: now, note: 'draining worker-12' } } });
    const second = await setMark(li, ask());
    expect(second).toMatchObject({
      ok: false,
      problem: {
        code: 'conflict',
        status: 409,
        reason: 'markChanged',
        applied: 'no',
        values: { by: 'mara', at: '2027-01-15T08:00:00.000Z', said: 'ack' },
        mark: first.ok ? first.value.mark : {},
        message: expect.stringContaining('mara has acknowledged this at 2027-01-15T08:00:00.000Z'),
      },
    });
    const [seen] = await marksOf(li);
    expect(markSchema.parse(seen)).toEqual(first.ok && first.value.mark);
    expect(await setMark(li, ask({ version: seen?.version ?? 0 }))).toMatchObject({
      ok: true,
      value: { mark: { by: 'li' } },
    });
    // What mara saw is not there any more.
    expect(await removeMark(mara, seen?.id ?? '', seen?.version ?? 0)).toMatchObject({
      ok: false,
      problem: { reason: 'markChanged', mark: { by: 'li' } },
    });
    const [last] = await marksOf(mara);
    expect(await removeMark(mara, last?.id ?? '', last?.version ?? 0)).toEqual({ ok: true, value: { removed: true } });
    expect(await marksOf(li)).toEqual([]);
    expect(await removeMark(mara, last?.id ?? '', last?.version ?? 0)).toEqual({ ok: true, value: { removed: false } });
  });

  it('open pages are told as soon as it is kept, taken back, or found to be said by somebody else', async () => {
    const history = database.open();
    const [mara, li] = [context(history), context(history, 'li')];
    const versions = new MarkVersions(history);
    let changes = 0;
    versions.onChange(() => changes++);
    const looking = (ctx: TriageContext): TriageContext => ({ ...ctx, said: () => versions.look() });
    const said = await setMark(looking(mara), ask());
    expect(changes).toBe(1);
    // Kept by another process, which has not been looked at.
    const version = said.ok ? said.value.mark.version : 0;
    await setMark(li, ask({ version }));
    await setMark(looking(mara), ask({ version }));
    expect(changes).toBe(2);
    const [last] = await marksOf(mara);
    await removeMark(looking(mara), last?.id ?? '', last?.version ?? 0);
    expect(changes).toBe(3);
  });

  it('leaves two audit lines, without what looks like a credential, and a place in the recent actions', async () => {
    const history = database.open();
    const mara = context(history);
    const secret = 'ghp_0123456789abcdefghij0123';
    await setMark(mara, ask({ kind: 'snooze', until: now + hour, note: `token=${secret} tried it` }));
    await setMark(mara, ask({ scope: { ns: 'lab', uid: 'u-1' } }));
    expect(lines).toMatchObject([
      {
        key: 'audit.intent',
        action: 'snooze',
        actor: 'mara',
        object: { kind: 'Cohort', namespace: 'lab', name: 'web' },
        before: null,
        after: { kind: 'snooze', until: '2027-01-15T09:00:00.000Z' },
        summary: 'Resuming · InitImageMismatch · worker-12',
        reason: 'token=••• tried it',
        requestId: 'req-1',
      },
      { key: 'audit.outcome', result: 'accepted' },
      { action: 'acknowledge', object: { kind: 'Sandbox', name: 'box-1', uid: 'u-1' } },
      { key: 'audit.outcome' },
    ]);
    expect(JSON.stringify([lines, await marksOf(mara)])).not.toContain(secret);
    const none = { poolOf: () => undefined, upgradeOf: () => undefined, sandboxOf: () => undefined };
    const shown = (ctx: TriageContext) => {
      const listed = listActions({ ...ctx, audit: mara.audit, ...none }, ctx.scope);
      return listed.ok ? listed.value.actions.map(({ action }) => action) : [];
    };
    expect(shown(mara)).toEqual(['acknowledge', 'snooze']);
    expect(shown(context(history, 'eve', ['prod']))).toEqual([]);
  });

  it('shows and takes marks of namespaces only whose sandboxes the person may see', async () => {
    const history = database.open();
    const [mara, eve] = [context(history), context(history, 'eve', ['prod'])];
    const set = await setMark(mara, ask());
    await setMark(mara, ask({ scope: { ...scope, ns: 'prod' } }));
    expect((await marksOf(mara)).map(({ scope: { ns } }) => ns).sort()).toEqual(['lab', 'prod']);
    expect((await marksOf(mara, ['lab'])).map(({ scope: { ns } }) => ns)).toEqual(['lab']);
    expect((await marksOf(eve)).map(({ scope: { ns } }) => ns)).toEqual(['prod']);
    const mark = set.ok ? set.value.mark : undefined;
    expect(await setMark(eve, ask({ version: mark?.version ?? 0 }))).toMatchObject({
      ok: false,
      problem: { code: 'forbidden', missing: { verb: 'list', resource: 'sandboxes', namespace: 'lab' } },
    });
    expect(await removeMark(eve, mark?.id ?? '', mark?.version ?? 0)).toEqual({ ok: true, value: { removed: false } });
    expect(await marksOf(mara)).toHaveLength(2);
    lines = [];
    await setMark(eve, ask({ scope: { ns: 'prod', uid: 'u-1' } }));
    // What has that uid is in another namespace: eve learns not even its name.
    expect(lines[0]).toMatchObject({ object: { kind: 'Sandbox', namespace: 'prod', name: 'u-1' } });
  });

  it('says that rights cannot be checked, neither that nothing was said nor that somebody may not', async () => {
    const history = database.open();
    const mara = context(history);
    const set = await setMark(mara, ask());
    const mark = set.ok ? set.value.mark : undefined;
    const away = { ...mara, scope: { maySee: () => false, isUnchecked: () => true } };
    const refused = { ok: false, problem: { code: 'upstream_unavailable', reason: 'accessUnchecked' } };
    expect(await listMarks(away, undefined)).toMatchObject(refused);
    expect(await listMarks(away, ['prod'])).toMatchObject({ ok: true, value: { marks: [] } });
    expect(await setMark(away, ask({ version: mark?.version ?? 0 }))).toMatchObject(refused);
    expect(await removeMark(away, mark?.id ?? '', mark?.version ?? 0)).toMatchObject(refused);
    expect(await marksOf(mara)).toEqual([mark]);
  });

  it.each([
    ['without an end', undefined],
    ['that is over already', now],
    ['of more than a day', now + 24 * hour + 1],
  ])('refuses a snooze %s', async (_, until) => {
    const mara = context(database.open());
    expect(await setMark(mara, ask({ kind: 'snooze', ...(until === undefined ? {} : { until }) }))).toMatchObject({
      ok: false,
      problem: { code: 'validation', reason: 'snoozeEnd', fields: [{ field: 'until' }] },
    });
    expect(await marksOf(mara)).toEqual([]);
  });

  it('limits: nobody is overwritten, pools that may not be seen are neither shown nor lost, and it is audited', async () => {
    const history = database.open();
    const [mara, eve] = [context(history), context(history, 'eve', ['prod'])];
    const pools = { 'lab/web': { Resuming: { warn: 5_000, breach: 9_000 } } };
    expect(await setLimits(mara, { version: 0, states: {}, pools })).toMatchObject({
      ok: true,
      value: { settings: { pools } },
    });
    expect(lines).toMatchObject([
      { key: 'audit.intent', action: 'setLimits', summary: 'lab/web Resuming – → 5 s / 9 s' },
      { key: 'audit.outcome', result: 'accepted' },
    ]);
    expect(await readLimits(eve)).toMatchObject({ ok: true, value: { settings: { version: 1, pools: {} } } });
    expect(await setLimits(eve, { version: 1, states: {}, pools })).toMatchObject({
      ok: false,
      problem: { code: 'forbidden' },
    });
    const states = { Pausing: { warn: 1_000, breach: 2_000 } };
    expect(await setLimits(eve, { version: 0, states, pools: {} })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', reason: 'limitsChanged', values: { by: 'mara' } },
    });
    expect(await setLimits(eve, { version: 1, states, pools: {} })).toMatchObject({ ok: true });
    const read = await readLimits(mara);
    expect(read).toMatchObject({ ok: true, value: { settings: { version: 2, by: 'eve', states, pools } } });
    // Changed through mara's console; eve's page knows the version, and her console does not yet.
    const later = { 'lab/web': { Resuming: { warn: 7_000, breach: 9_000 } } };
    await setLimits(mara, { version: 2, states, pools: later });
    expect(await setLimits(eve, { version: 3, states: {}, pools: {} })).toMatchObject({ ok: true });
    expect(await readLimits(mara)).toMatchObject({ ok: true, value: { settings: { version: 4, pools: later } } });
  });
});

it('without the database says so, and shows what it can', async () => {
  const ctx = context(makeHistory(undefined));
  expect(await listMarks(ctx, undefined)).toMatchObject({ ok: true, value: { store: { state: 'off' }, marks: [] } });
  const away = { ok: false, problem: { code: 'history_unavailable', reason: 'historyAway', applied: 'no' } };
  expect(await setMark(ctx, ask())).toMatchObject(away);
  expect(await removeMark(ctx, 'id', 1)).toMatchObject(away);
  expect(await readLimits(ctx)).toMatchObject({
    ok: true,
    value: { store: { state: 'off' }, settings: { version: 0 } },
  });
  expect(await setLimits(ctx, { version: 0, states: {}, pools: {} })).toMatchObject(away);
});

import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { adoptionsOf, lastAdoptions, saveAdoptions } from './adoptions';
import { type History, HistoryUnavailable, makeHistory } from './database';
import { onBothDatabases } from './testing';

const put = (history: History, hash: string) =>
  history.use((db) => db.insertInto('template').values({ hash, text: '{}' }).execute());
const hashes = (history: History) =>
  history.read(async (db) =>
    (await db.selectFrom('template').select('hash').orderBy('hash').execute()).map((row) => row.hash),
  );

onBothDatabases((database, kind) => {
  it('keeps what an earlier process has stored; numbers come back as numbers', async () => {
    const first = database.open();
    const at = 1_800_000_000_000;
    const adoption = { opUid: 'o', opName: 'o', namespace: 'lab', sandboxUid: 's', sandboxName: 's', at, pods: {} };
    await saveAdoptions(first, [adoption, { ...adoption, opUid: 'p', at: at + 1 }]);
    await first.close();
    const again = database.open();
    expect(await lastAdoptions(again)).toMatchObject([{ op_uid: 'p', at: at + 1 }]);
    expect((await adoptionsOf(again, 'o'))[0]?.at).toBe(at);
  });

  it('is migrated once by several that start together', async () => {
    const all = [database.open(), database.open(), database.open()];
    await Promise.all(
      all.map((history, i) => vi.waitFor(() => put(history, `h-${i}`), { timeout: 10_000, interval: 200 })),
    );
    expect(await hashes(all[0] as History)).toEqual(['h-0', 'h-1', 'h-2']);
  });

  it('can be read while a long write goes on', async () => {
    const history = database.open();
    await put(history, 'a');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const writing = history.use((db) =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('template').values({ hash: 'b', text: '' }).execute();
        await held;
      }),
    );
    expect(await hashes(history)).toEqual(['a']);
    release();
    await writing;
    expect(await hashes(history)).toEqual(['a', 'b']);
  });

  it('does not hold up the process with a long question, nor a write', async () => {
    const history = database.open();
    await put(history, 'a');
    const ended: string[] = [];
    const long = history
      .read((db) =>
        sql`with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000000) select max(x) from n`.execute(
          db,
        ),
      )
      .then(() => ended.push('question'));
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 5);
    await put(history, 'b');
    ended.push('write');
    await long;
    clearInterval(turning);
    expect(ended).toEqual(['write', 'question']);
    // A process that is held up has none, and then one.
    expect(turns).toBeGreaterThan(3);
  });

  it('refuses what a database that takes no writes refuses, and can be read', async () => {
    const history = database.open(() => clock);
    let clock = 0;
    await put(history, 'a');
    const readOnly = (db: Parameters<Parameters<History['use']>[0]>[0]) =>
      (kind === 'file' ? sql`pragma query_only = 1` : sql`set default_transaction_read_only = on`).execute(db);
    await history.use(readOnly);
    await expect(put(history, 'b')).rejects.toThrow(/read-?only/);
    expect(history.state()).toMatchObject({ state: 'unavailable', why: expect.stringMatching(/read-?only/) });
    expect(await hashes(history)).toEqual(['a']);
    clock += 10_000;
    await put(history, 'c');
    expect(history.state()).toEqual({ state: 'ok' });
  });

  it.runIf(kind === 'PostgreSQL')('comes back after PostgreSQL was killed, with all that was stored', async () => {
    let clock = 0;
    const history = database.open(() => clock);
    await put(history, 'a');
    expect(await hashes(history)).toEqual(['a']);
    await database.server().kill();
    await expect(put(history, 'b')).rejects.toThrow(HistoryUnavailable);
    clock += 10_000;
    await expect(hashes(history)).rejects.toThrow(HistoryUnavailable);
    await database.server().start();
    clock += 10_000;
    await put(history, 'c');
    clock += 10_000;
    expect(await hashes(history)).toEqual(['a', 'c']);
  });

  it.runIf(kind === 'PostgreSQL')(
    'gives up a PostgreSQL that says nothing, and works when it speaks again',
    async () => {
      let clock = 0;
      const history = makeHistory(database.where(), () => clock, { writeMs: 500, readMs: 500 });
      await put(history, 'a');
      database.server().freeze(true);
      try {
        await expect(put(history, 'b')).rejects.toThrow(/timeout|not answered/i);
        await expect(hashes(history)).rejects.toThrow(HistoryUnavailable);
      } finally {
        database.server().freeze(false);
      }
      clock += 10_000;
      await vi.waitFor(async () => {
        clock += 10_000;
        await put(history, 'c');
      }, 15_000);
      expect(await hashes(history)).toContain('c');
      await history.close();
    },
  );

  it.runIf(kind === 'PostgreSQL')('tells nobody the password of its URL', async () => {
    const { log } = await import('../log');
    const warned = vi.spyOn(log, 'warn');
    const url = new URL(database.where());
    url.password = 'hunter2-secret';
    url.port = '1';
    const history = makeHistory(url.href);
    const refused = await put(history, 'a').catch((error: Error) => error.message);
    expect(JSON.stringify([refused, warned.mock.calls])).not.toContain('hunter2');
    expect(warned).toHaveBeenCalled();
    warned.mockRestore();
  });
});

it('does not keep the process alive, and is loaded from wherever the server runs', () => {
  const script = `import('./server/history/database.ts').then(async ({ makeHistory }) => {
    const history = makeHistory(process.argv[1]);
    await history.use(async () => undefined);
    console.log('opened');
  })`;
  const dir = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '-e', script, dir],
    { cwd: path.resolve(import.meta.dirname, '../..'), encoding: 'utf8', timeout: 15_000 },
  );
  expect([stdout.trim(), status]).toEqual(['opened', 0]);
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HistoryUnavailable, makeHistory } from './database';

let dir: string;
let clock: number;
const file = () => path.join(dir, 'console.db');

beforeEach(() => {
  clock = 0;
  dir = mkdtempSync(path.join(tmpdir(), 'history-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (at = dir) => makeHistory(at, () => clock);
const put = (history: ReturnType<typeof open>, hash: string) =>
  history.use((db) => db.insertInto('template').values({ hash, text: '{}' }).execute());
const hashes = (history: ReturnType<typeof open>) =>
  history.use(async (db) =>
    (await db.selectFrom('template').select('hash').orderBy('hash').execute()).map((t) => t.hash),
  );

describe('the database', () => {
  it('keeps what was stored over a restart, in a file that only its owner may read', async () => {
    const first = open(path.join(dir, 'not', 'there', 'yet'));
    await put(first, 'a');
    await first.close();
    const again = open(path.join(dir, 'not', 'there', 'yet'));
    expect(await hashes(again)).toEqual(['a']);
    expect(statSync(path.join(dir, 'not/there/yet/console.db')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dir, 'not/there/yet/console.db-wal')).mode & 0o777).toBe(0o600);
    await again.close();
  });

  it('says that nothing is stored without a folder', async () => {
    await expect(hashes(makeHistory(undefined))).rejects.toThrow('CONSOLE_DATA_DIR is not set');
  });

  it.each([
    [
      'a file that is none',
      () => writeFileSync(file(), 'this is no database, but it is long enough to be read as one'.repeat(40)),
    ],
    ['a folder in its place', () => mkdirSync(file())],
    [
      'a file in the place of its folder',
      () => {
        rmSync(dir, { recursive: true });
        writeFileSync(dir, '');
      },
    ],
  ])('is unavailable with %s, and says why', async (_what, spoil) => {
    spoil();
    const history = open();
    await expect(put(history, 'a')).rejects.toThrow(HistoryUnavailable);
    await expect(put(history, 'a')).rejects.toThrow(/.{10}/);
  });

  it('is unavailable while another process holds it, and works again afterwards, transactions too', async () => {
    const history = open();
    await put(history, 'a');
    const other = new Database(file());
    other.exec('BEGIN IMMEDIATE');
    await expect(put(history, 'b')).rejects.toThrow('database is locked');
    other.exec('ROLLBACK');
    // Meanwhile nobody waits for it again.
    await expect(put(history, 'b')).rejects.toThrow('database is locked');
    clock += 10_000;
    await history.use((db) =>
      db.transaction().execute((trx) => trx.insertInto('template').values({ hash: 'c', text: '{}' }).execute()),
    );
    expect(await hashes(history)).toEqual(['a', 'c']);
    other.close();
    await history.close();
  });

  it('is unavailable while its folder does not answer, holds nobody else up, and works again when it does', async () => {
    // Nobody reads from the pipe: to open it takes for ever, as on a file system whose server is gone.
    execFileSync('mkfifo', [file()]);
    const history = makeHistory(dir, () => clock, { answerMs: 100 });
    let turns = 0;
    const ticking = setInterval(() => turns++, 10);
    await expect(hashes(history)).rejects.toThrow(/does not answer/);
    clock += 10_000;
    await expect(hashes(history)).rejects.toThrow(/does not answer/);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
    const reader = await openFile(file(), 'r');
    await reader.close();
    rmSync(file());
    clock += 10_000;
    await vi.waitFor(async () => {
      clock += 10_000;
      await put(history, 'a');
    }, 5_000);
    expect(await hashes(history)).toEqual(['a']);
    await history.close();
  });

  it('is unavailable when the disk is full, and can still be read', async () => {
    const history = open();
    await put(history, 'a');
    const full = history.use(async (db) => {
      const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db);
      await sql.raw(`PRAGMA max_page_count = ${rows[0]?.page_count ?? 1}`).execute(db);
      await db
        .insertInto('template')
        .values({ hash: 'b', text: 'x'.repeat(1_000_000) })
        .execute();
    });
    await expect(full).rejects.toThrow('database or disk is full');
    clock += 10_000;
    expect(await hashes(history)).toEqual(['a']);
    await history.close();
  });

  it('lets one process read and then write while another one wants to write', async () => {
    const [one, two] = [open(), open()];
    await put(one, 'a');
    await put(two, 'b');
    let other: Promise<unknown> | undefined;
    await one.use((db) =>
      db.transaction().execute(async (transaction) => {
        await transaction.selectFrom('template').selectAll().execute();
        other = put(two, 'c');
        await Promise.race([other.catch(() => undefined), sleep(300)]);
        await transaction.insertInto('template').values({ hash: 'd', text: '{}' }).execute();
      }),
    );
    await other;
    expect(await hashes(two)).toEqual(['a', 'b', 'c', 'd']);
    await Promise.all([one.close(), two.close()]);
  });

  it('does not let one piece of work disturb another', async () => {
    const history = open();
    const results = await Promise.allSettled([
      put(history, 'a'),
      history.use((db) =>
        db.transaction().execute((trx) => trx.insertInto('template').values({ hash: 'b', text: '' }).execute()),
      ),
      put(history, 'c'),
    ]);
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await hashes(history)).toEqual(['a', 'b', 'c']);
    await history.close();
  });
});

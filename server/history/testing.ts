import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { noPostgres, startPostgres, type TestPostgres } from '../testing/postgres';
import { type History, makeHistory } from './database';

export interface TestDatabase {
  /** A folder or a URL, empty before each test. */
  where(): string;
  /** Opens it once more, as another process would; closed after the test. */
  open(now?: () => number): History;
  /** Only of PostgreSQL. */
  server(): TestPostgres;
}

/** The same tests on a file and on PostgreSQL; without its programs the latter are skipped, and say why. */
export function onBothDatabases(tests: (database: TestDatabase, kind: 'file' | 'PostgreSQL') => void): void {
  describe('on a file', () => {
    let dir: string;
    beforeEach(() => {
      dir = mkdtempSync(path.join(tmpdir(), 'history-'));
    });
    const opened = closing();
    afterEach(() => rmSync(dir, { recursive: true, force: true }));
    const server = () => {
      throw new Error('a file has no server');
    };
    tests({ where: () => dir, open: (now) => opened(makeHistory(dir, now)), server }, 'file');
  });
  const title = noPostgres === undefined ? 'on PostgreSQL' : `on PostgreSQL (${noPostgres})`;
  describe.skipIf(noPostgres !== undefined)(title, () => {
    let server: TestPostgres;
    let url: string;
    beforeAll(async () => {
      server = await startPostgres();
    }, 60_000);
    afterAll(() => server.stop());
    beforeEach(async () => {
      url = await server.empty();
    });
    const opened = closing();
    tests({ where: () => url, open: (now) => opened(makeHistory(url, now)), server: () => server }, 'PostgreSQL');
  });
}

function closing(): (history: History) => History {
  let all: History[] = [];
  afterEach(async () => {
    await Promise.all(all.map((history) => history.close()));
    all = [];
  });
  return (history) => {
    all.push(history);
    return history;
  };
}

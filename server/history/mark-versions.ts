import 'server-only';
import { createHash } from 'node:crypto';
import { log } from '../log';
import { once } from '../once';
import { type History, HistoryUnavailable, history } from './database';

/** Another console on the same database may have kept what somebody said there. */
const lookEveryMs = 3_000;

type Known = { id: string; namespace: string; version: number };

/**
 * Which marks there are, looked at once a process: tabs are told a version of those that they may see, and read them only when
 * it is another one. Processes on one database tell the same version.
 */
export class MarkVersions {
  #history: Pick<History, 'read'>;
  #known: readonly Known[] = [];
  #isAway = false;
  #listeners = new Set<() => void>();

  constructor(history: Pick<History, 'read'>) {
    this.#history = history;
  }

  /** Of the marks in namespaces that are seen. It is another one, too, while they cannot be read. */
  of(sees: (namespace: string) => boolean): string {
    const seen = this.#known.filter(({ namespace }) => sees(namespace));
    const text = seen.map(({ id, version }) => `${id} ${version}`).join();
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
    return this.#isAway ? `${hash}-away` : hash;
  }

  /** They are others now, or cannot be read, or can be again. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Looks at what is stored now. While the database is away, what was known last stays known. */
  async look(): Promise<void> {
    const before = this.of(() => true);
    try {
      this.#known = await this.#history.read((db) =>
        db.selectFrom('mark').select(['id', 'namespace', 'version']).orderBy('id').execute(),
      );
      this.#isAway = false;
    } catch (error) {
      if (!(error instanceof HistoryUnavailable)) throw error;
      this.#isAway = true;
    }
    if (this.of(() => true) === before) return;
    for (const listener of this.#listeners) listener();
  }
}

/** The one of this process; it looks from the first call on. */
export const markVersions = (): MarkVersions =>
  once('history.marks', () => {
    const versions = new MarkVersions(history());
    if (history().state().state === 'off') return versions;
    const look = () => versions.look().catch((error: unknown) => log.error({ key: 'mark.fault', err: error }));
    void look();
    setInterval(look, lookEveryMs).unref();
    return versions;
  });

import 'server-only';
import { type LimitSettings, limitSettings, type SetLimitsRequest } from '@/lib/contracts/triage';
import { type LimitsInForce, limitsInForce, noSettings, standardLimits } from '@/lib/domain/limits';
import { clusterNow } from '../kube/cluster-clock';
import { log } from '../log';
import { once } from '../once';
import { type History, HistoryUnavailable, history } from './database';
import { parsedJson } from './json';
import type { Tables } from './tables';

const theRow = 1;
/** Another console on the same database may have changed them. */
const readEveryMs = 3_000;

/**
 * The limits that people have set. In memory, so that everything is judged without waiting; while the database is away,
 * those that were known last stay in force.
 */
export class LimitsStore {
  #history: History;
  #now: () => number;
  #settings = noSettings;
  #inForce = standardLimits;
  #listeners = new Set<() => void>();

  constructor(history: History, now: () => number = Date.now) {
    this.#history = history;
    this.#now = now;
  }

  get settings(): LimitSettings {
    return this.#settings;
  }

  get inForce(): LimitsInForce {
    return this.#inForce;
  }

  /** They are others now. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Reads what is stored. @throws {HistoryUnavailable} */
  async recall(): Promise<void> {
    const before = this.#settings;
    const row = await this.#history.read((db) =>
      db.selectFrom('limits').selectAll().where('id', '=', theRow).executeTakeFirst(),
    );
    // Set meanwhile: what was read is older.
    if (this.#settings === before) this.#adopt(row ? settingsOf(row) : noSettings);
  }

  /**
   * Stores the whole of them over the version that was seen, in one transaction.
   * @returns what is stored now: `done` when that is what was asked for
   * @throws {HistoryUnavailable}
   */
  async set({ version, ...wanted }: SetLimitsRequest, by: string): Promise<{ done: boolean; settings: LimitSettings }> {
    const row = {
      id: theRow,
      version: version + 1,
      settings: JSON.stringify(wanted),
      actor: by,
      at: this.#now(),
    };
    const stored = await this.#history.use((db) =>
      db.transaction().execute(async (transaction) => {
        const written = await transaction
          .insertInto('limits')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row).where('limits.version', '=', version))
          .returning('id')
          .executeTakeFirst();
        if (written) return { done: true, row };
        const known = transaction.selectFrom('limits').selectAll().where('id', '=', theRow);
        return { done: false, row: await known.executeTakeFirst() };
      }),
    );
    const settings = stored.row ? settingsOf(stored.row) : noSettings;
    this.#adopt(settings);
    return { done: stored.done, settings };
  }

  #adopt(settings: LimitSettings): void {
    if (settings.version === this.#settings.version && settings.at === this.#settings.at) return;
    this.#settings = settings;
    this.#inForce = limitsInForce(settings);
    for (const listener of this.#listeners) listener();
  }
}

/** What another version has written in another way counts as none, under its version. */
function settingsOf({ version, settings, actor, at }: Tables['limits']): LimitSettings {
  const read = limitSettings.omit({ version: true, by: true, at: true }).safeParse(parsedJson(settings));
  if (!read.success) log.warn({ key: 'limits.unreadable', version });
  return { ...(read.data ?? { states: {}, pools: {} }), version, by: actor, at };
}

/** Those of this process; kept up to date from the first call on. */
export const limitsStore = (): LimitsStore =>
  once('history.limits', () => {
    const store = new LimitsStore(history(), clusterNow);
    const recall = () =>
      store.recall().catch((error: unknown) => {
        if (!(error instanceof HistoryUnavailable)) log.error({ key: 'limits.fault', err: error });
      });
    if (history().state().state !== 'off') {
      void recall();
      setInterval(recall, readEveryMs).unref();
    }
    return store;
  });

import 'server-only';
import { lastAdoptions, podsOf, recordOf } from '../history/adoptions';
import type { History } from '../history/database';
import type { AdoptionTable } from '../history/tables';
import type { OpenAdoption } from './adoption-queue';

/** What an earlier run of the console has stored of sandboxes that were with an operation then, until it is compared. */
export class Recalled {
  #history: History;
  #onRead: () => void;
  #reading: Promise<void> | undefined;
  /** By the sandbox's uid. */
  #adoptions = new Map<string, OpenAdoption>();

  constructor(history: History, onRead: () => void) {
    this.#history = history;
    this.#onRead = onRead;
  }

  /** Once: what is stored from then on is this run's own. @throws {HistoryUnavailable} and may be called again */
  read(): Promise<void> {
    this.#reading ??= lastAdoptions(this.#history).then(
      (rows) => {
        for (const row of rows) {
          const open = openOf(row);
          this.#adoptions.set(open.sandboxUid, open);
        }
        this.#onRead();
      },
      (error: unknown) => {
        this.#reading = undefined;
        throw error;
      },
    );
    return this.#reading;
  }

  /** Each once. */
  take(sandboxUid: string): OpenAdoption | undefined {
    const found = this.#adoptions.get(sandboxUid);
    this.#adoptions.delete(sandboxUid);
    return found;
  }

  takeAll(): OpenAdoption[] {
    const all = [...this.#adoptions.values()];
    this.#adoptions.clear();
    return all;
  }
}

function openOf(row: AdoptionTable): OpenAdoption {
  const byHash = (hash: string) => ({ hash, text: () => undefined });
  const record = recordOf(row);
  return {
    opUid: row.op_uid,
    opName: row.op_name,
    namespace: row.namespace,
    sandboxUid: row.sandbox_uid,
    sandboxName: row.sandbox_name,
    at: row.at,
    ...(row.before === null ? {} : { before: byHash(row.before) }),
    ...(row.after === null ? {} : { after: byHash(row.after) }),
    pods: podsOf(row),
    ...(record ? { record } : {}),
    ...(record?.row.steps ? { earlier: record.row.steps } : {}),
  };
}

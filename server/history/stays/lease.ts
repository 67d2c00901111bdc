import 'server-only';
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

type Db = Kysely<Tables>;

/** One that has not been heard of for so long has ended without a word. */
const silentMs = 15_000;
const theRow = 1;

/** What is stored of the recorder that there was, when another one takes over or waits. */
export interface EarlierRecorder {
  /** Up to then it has stored everything. */
  stored: number;
  since: number;
}

/**
 * Of several processes on one database, one records: who holds the one row of `recorder`. Each writes it in the transaction
 * that it stores with, so that one who was held up and has lost it cannot store any more.
 */
export class Lease {
  #me: string = randomUUID();
  #elapsed: () => number;
  #heard: { beat: number; at: number } | undefined;

  /** @param elapsed ms of a clock that nobody sets: a jump of the time of day is no silence */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /** Whether this process still is the one; says that it is alive. The others wait until this is committed. */
  async isHeld(db: Db): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('recorder')
      .set(({ eb }) => ({ beat: eb('beat', '+', 1) }))
      .where('holder', '=', this.#me)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Takes it when nobody has it, or who has it is silent. @param since when this process began to watch */
  async take(db: Db, since: number): Promise<{ isTaken: boolean; earlier: EarlierRecorder | undefined }> {
    const earlier = await db.selectFrom('recorder').selectAll().executeTakeFirst();
    if (!earlier) return { isTaken: await this.#make(db, since), earlier };
    if (earlier.holder !== '' && !this.#isSilent(earlier.beat)) return { isTaken: false, earlier };
    const { numUpdatedRows } = await db
      .updateTable('recorder')
      .set({ holder: this.#me, beat: earlier.beat + 1 })
      .where('beat', '=', earlier.beat)
      .where('holder', '=', earlier.holder)
      .executeTakeFirst();
    return { isTaken: numUpdatedRows > 0n, earlier };
  }

  /** Another one may go on at once. */
  async give(db: Db): Promise<void> {
    await db.updateTable('recorder').set({ holder: '' }).where('holder', '=', this.#me).execute();
  }

  async #make(db: Db, since: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('recorder')
      .values({ id: theRow, holder: this.#me, beat: 0, stored: since, since })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  #isSilent(beat: number): boolean {
    if (this.#heard?.beat !== beat) this.#heard = { beat, at: this.#elapsed() };
    return this.#elapsed() - this.#heard.at >= silentMs;
  }
}

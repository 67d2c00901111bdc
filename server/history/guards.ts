import 'server-only';
import { z } from 'zod';
import { type GuardLimits, guardLimits } from '@/lib/contracts/upgrades';
import type { Principal } from '../access/principal';
import { log } from '../log';
import type { History } from './database';
import { parsedJson } from './json';

/** A guard as it is stored: what it waits for, and as whom it acts. */
export type StoredGuard = {
  /** Unique; also in the annotation {@link guardAnnotation} of an operation that was created with it. */
  id: string;
  namespace: string;
  opName: string;
  /** Undefined until the operation is known to exist. */
  opUid?: string;
  limits: GuardLimits;
  state: 'armed' | 'fired' | 'failed';
  principal: Principal;
  setAt: number;
  firedAt?: number;
  problem?: string;
};

/** On an operation that is created with a guard, so that it is found again when the answer to the create is lost. */
export const guardAnnotation = 'console.agents.kruise.io/guard';

const principal = z.object({ subject: z.string(), groups: z.array(z.string()), impersonate: z.boolean() });

/** Those that another version has stored in a way that this one cannot read are passed over. @throws {HistoryUnavailable} as all of these */
export async function loadGuards(history: History): Promise<StoredGuard[]> {
  const rows = await history.use((db) => db.selectFrom('guard').selectAll().execute());
  return rows.flatMap((row) => {
    const parts = z
      .object({ limits: guardLimits, principal })
      .safeParse({ limits: parsedJson(row.limits), principal: parsedJson(row.principal) });
    if (!parts.success) {
      log.warn({ key: 'guard.unreadable', guard: row.id, namespace: row.namespace, name: row.op_name });
      return [];
    }
    return {
      id: row.id,
      namespace: row.namespace,
      opName: row.op_name,
      ...(row.op_uid === null ? {} : { opUid: row.op_uid }),
      ...parts.data,
      state: row.state,
      setAt: row.set_at,
      ...(row.fired_at === null ? {} : { firedAt: row.fired_at }),
      ...(row.problem === null ? {} : { problem: row.problem }),
    };
  });
}

export function saveGuard(history: History, guard: StoredGuard): Promise<void> {
  const row = {
    id: guard.id,
    namespace: guard.namespace,
    op_name: guard.opName,
    op_uid: guard.opUid ?? null,
    limits: JSON.stringify(guard.limits),
    state: guard.state,
    principal: JSON.stringify(guard.principal),
    set_at: guard.setAt,
    fired_at: guard.firedAt ?? null,
    problem: guard.problem ?? null,
    acting_until: null,
  };
  return history.use(async (db) => {
    await db
      .insertInto('guard')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  });
}

/** So long nobody else acts for a guard; who acts has ended, or saved the guard, by then. */
const actingMs = 15_000;

/** Of several processes that are about to act for a guard, one may. @returns whether it is this one: it has not fired, and no other is at it */
export function takeTurn(history: History, id: string, now: number): Promise<boolean> {
  return history.use(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('guard')
      .set({ acting_until: now + actingMs })
      .where('id', '=', id)
      .where('state', '!=', 'fired')
      .where(({ eb, or }) => or([eb('acting_until', 'is', null), eb('acting_until', '<=', now)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

export function deleteGuard(history: History, id: string): Promise<void> {
  return history.use(async (db) => {
    await db.deleteFrom('guard').where('id', '=', id).execute();
  });
}

import 'server-only';
import type { Kysely, Migration } from 'kysely';

/** By name, in the order of the names. One that was released is never changed: what it lacks is another one. */
export const migrations: Record<string, Migration> = {
  '001-upgrades': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('template')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('adoption')
        .addColumn('op_uid', 'text', (column) => column.notNull())
        .addColumn('sandbox_uid', 'text', (column) => column.notNull())
        .addColumn('sandbox_name', 'text', (column) => column.notNull())
        .addColumn('namespace', 'text', (column) => column.notNull())
        .addColumn('op_name', 'text', (column) => column.notNull())
        .addColumn('at', 'integer', (column) => column.notNull())
        .addColumn('before', 'text')
        .addColumn('after', 'text')
        .addColumn('pods', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('adoption_key', ['op_uid', 'sandbox_uid'])
        .execute();
      await db.schema
        .createTable('guard')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('namespace', 'text', (column) => column.notNull())
        .addColumn('op_name', 'text', (column) => column.notNull())
        .addColumn('op_uid', 'text')
        .addColumn('limits', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('principal', 'text', (column) => column.notNull())
        .addColumn('set_at', 'integer', (column) => column.notNull())
        .addColumn('fired_at', 'integer')
        .addColumn('problem', 'text')
        .execute();
    },
  },
};

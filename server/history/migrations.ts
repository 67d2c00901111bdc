import 'server-only';
import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type Migration,
  PostgresAdapter,
} from 'kysely';

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
        .addColumn('at', 'bigint', (column) => column.notNull())
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
        .addColumn('set_at', 'bigint', (column) => column.notNull())
        .addColumn('fired_at', 'bigint')
        .addColumn('problem', 'text')
        .execute();
    },
  },
  '002-adoption-records': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('adoption').addColumn('record', 'text').execute();
      await db.schema.createIndex('adoption_sandbox').on('adoption').column('sandbox_uid').execute();
    },
  },
  '003-stays': {
    async up(db: Kysely<unknown>) {
      const place = ['namespace', 'pool', 'node', 'revision', 'state', 'stage', 'gate'] as const;
      let table: CreateTableBuilder<string, string> = db.schema
        .createTable('place')
        .addColumn('id', 'integer', (column) => withNumbers(db, column).primaryKey());
      for (const column of place) table = table.addColumn(column, 'text', (text) => text.notNull());
      await table.addUniqueConstraint('place_once', [...place]).execute();
      await db.schema
        .createTable('stay')
        .addColumn('sandbox_uid', 'text', (column) => column.notNull())
        .addColumn('seen', 'bigint', (column) => column.notNull())
        .addColumn('place', 'integer', (column) => column.notNull())
        .addColumn('begun', 'bigint')
        .addColumn('begun_from', 'text', (column) => column.notNull())
        .addColumn('state_begun', 'bigint')
        .addColumn('stage_begun', 'bigint')
        .addColumn('ended', 'bigint')
        .addColumn('torn', 'integer', (column) => column.notNull())
        .addColumn('ms', 'bigint')
        .addColumn('stage_ms', 'bigint')
        .addColumn('state_ms', 'bigint')
        .addColumn('pod_uid', 'text')
        .addColumn('cause', 'text')
        .addPrimaryKeyConstraint('stay_key', ['sandbox_uid', 'seen'])
        .execute();
      // All that durations are counted from, so that the stays themselves need not be read.
      await db.schema
        .createIndex('stay_ended')
        .on('stay')
        .columns(['ended', 'place', 'ms', 'stage_ms', 'state_ms'])
        .execute();
      await db.schema.createIndex('stay_place').on('stay').column('place').execute();
      await db.schema
        .createTable('gap')
        .addColumn('began', 'bigint', (column) => column.primaryKey())
        .addColumn('ended', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('recorder')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('holder', 'text', (column) => column.notNull())
        .addColumn('beat', 'bigint', (column) => column.notNull())
        .addColumn('stored', 'bigint', (column) => column.notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('phase_sample')
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('namespace', 'text', (column) => column.notNull())
        .addColumn('counts', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('phase_sample_key', ['at', 'namespace'])
        .execute();
    },
  },
  '004-triage': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('mark')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('namespace', 'text', (column) => column.notNull())
        .addColumn('scope', 'text', (column) => column.notNull().unique())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('until', 'bigint')
        .addColumn('note', 'text')
        .addColumn('version', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('limits')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('version', 'bigint', (column) => column.notNull())
        .addColumn('settings', 'text', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '005-tasks': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('task')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('person', 'text', (column) => column.notNull())
        .addColumn('runner', 'text')
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('namespace', 'text', (column) => column.notNull())
        .addColumn('pool', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('claim_ms', 'bigint')
        .addColumn('origin', 'text')
        .addColumn('bytes', 'bigint', (column) => column.notNull())
        .addColumn('record', 'text', (column) => column.notNull())
        .addColumn('words', 'text', (column) => column.notNull())
        .addColumn('env', 'text')
        .addColumn('cancelled', 'integer', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('task_person').on('task').columns(['person', 'created_at']).execute();
      await db.schema.createIndex('task_state').on('task').column('state').execute();
      await db.schema
        .createTable('task_output')
        .addColumn('task', 'text', (column) => column.notNull())
        .addColumn('seq', 'integer', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('stream', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('task_output_key', ['task', 'seq'])
        .execute();
      await db.schema
        .createTable('task_file')
        .addColumn('task', 'text', (column) => column.notNull())
        .addColumn('side', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('base64', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('task_file_key', ['task', 'side', 'name'])
        .execute();
      await db.schema
        .createTable('task_runner')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('beat', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('installation')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '006-observed-starts': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('stay').addColumn('observed_since', 'bigint').execute();
      await db.schema.alterTable('stay').addColumn('observed_version', 'text').execute();
    },
  },
  '007-guard-turns': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('guard').addColumn('acting_until', 'bigint').execute();
    },
  },
};

/** SQLite numbers an integer key by itself. */
function withNumbers(db: Kysely<unknown>, column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return db.getExecutor().adapter instanceof PostgresAdapter ? column.generatedAlwaysAsIdentity() : column;
}

import 'server-only';
import { Kysely, PostgresDialect } from 'kysely';
import type { Tables } from './tables';

/** How long a connection may take to come. */
const connectMs = 5_000;
/** Type bigint, which has room for times in ms and for counts. */
const bigint = 20;

/** Whether this names a PostgreSQL database and not a folder. */
export const isPostgres = (where: string): boolean => /^postgres(ql)?:\/\//.test(where);

/** The database without the credentials of its URL, for logs. */
export function shownUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** Connections to a PostgreSQL database, opened when they are needed. @param answerMs how long a statement may take */
export async function openPostgres(url: string, answerMs: number, connections: number): Promise<Kysely<Tables>> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'openkruise-agents-console',
    connectionTimeoutMillis: connectMs,
    // The server ends what takes too long; a server that is silent is given up a little later.
    statement_timeout: answerMs,
    query_timeout: answerMs * 1.2,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => (oid === bigint ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // Whoever uses a connection that is lost, or the next one who does, gets an error of its own. Unheard, these would end the
  // process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: () => pool.connect(),
        // Does not wait for connections whose server is silent.
        end: async () => void pool.end().catch(() => undefined),
      },
    }),
  });
}

import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { namespacesQuery, poolQuery } from '@/server/http/names';
import { historyContext } from '@/server/services/history/history-context';
import { readPhases } from '@/server/services/history/read-phases';

const minutes = z.coerce
  .number()
  .int()
  .min(1)
  .max(24 * 60)
  .default(60);
const query = z.object({ minutes, namespaces: namespacesQuery, pool: poolQuery });

export const GET = handler({ query, access: 'read' }, async (call) =>
  readPhases(await historyContext(call), call.query),
);

import { z } from 'zod';
import { durationGroup } from '@/lib/contracts/history';
import { handler } from '@/server/http/handler';
import { namespacesQuery, objectName, poolQuery } from '@/server/http/names';
import { historyContext } from '@/server/services/history/history-context';
import { readDurations } from '@/server/services/history/read-durations';

const time = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
const query = z.object({
  namespaces: namespacesQuery,
  pool: poolQuery,
  node: objectName.optional(),
  revision: z
    .string()
    .max(253)
    .regex(/^[\w.-]*$/, 'is not a value of a label')
    .optional(),
  from: time,
  to: time,
  by: durationGroup.default('none'),
});

export const GET = handler({ query, access: 'read' }, async (call) =>
  readDurations(await historyContext(call), call.query),
);

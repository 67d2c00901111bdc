import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { removeMark } from '@/server/services/triage/remove-mark';
import { triageContext } from '@/server/services/triage/triage-context';

const params = z.object({ id: z.uuid() });
const query = z.object({ version: z.coerce.number().int().min(1) });

export const DELETE = handler({ params, query, access: 'write' }, async (call) =>
  removeMark(await triageContext(call), call.params.id, call.query.version),
);

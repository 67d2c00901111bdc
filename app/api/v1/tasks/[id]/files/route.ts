import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { taskParams } from '@/server/http/names';
import { readTaskFile } from '@/server/services/tasks/read-task';
import { tasksContext } from '@/server/services/tasks/tasks-context';

/** `in` was uploaded, `out` was written by the code; `name` is the path in the home folder. */
const query = z.object({ side: z.enum(['in', 'out']).default('out'), name: z.string().min(1).max(1_000) });

export const GET = handler({ params: taskParams, query, access: 'read' }, async (call) =>
  readTaskFile(await tasksContext(call), call.params.id, call.query.side, call.query.name),
);

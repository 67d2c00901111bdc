import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { taskParams } from '@/server/http/names';
import { streamTask } from '@/server/services/tasks/stream-task';
import { tasksContext } from '@/server/services/tasks/tasks-context';

/** Number of the last chunk that is known already. */
const query = z.object({ after: z.coerce.number().int().min(-1).default(-1) });

export const GET = handler({ params: taskParams, query, access: 'read' }, async (call) =>
  streamTask(await tasksContext(call), call.params.id, call.query.after, call.signal),
);

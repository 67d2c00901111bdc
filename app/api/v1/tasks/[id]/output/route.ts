import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { taskParams } from '@/server/http/names';
import { readTaskOutput } from '@/server/services/tasks/read-task';
import { tasksContext } from '@/server/services/tasks/tasks-context';

const query = z.object({ stream: z.enum(['out', 'err']).optional() });

export const GET = handler({ params: taskParams, query, access: 'read' }, async (call) =>
  readTaskOutput(await tasksContext(call), call.params.id, call.query.stream),
);

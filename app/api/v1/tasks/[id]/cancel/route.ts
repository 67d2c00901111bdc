import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { taskParams } from '@/server/http/names';
import { cancelTask } from '@/server/services/tasks/end-task';
import { tasksContext } from '@/server/services/tasks/tasks-context';

export const POST = handler({ params: taskParams, body: z.object({}), access: 'write' }, async (call) =>
  cancelTask(await tasksContext(call), call.params.id),
);

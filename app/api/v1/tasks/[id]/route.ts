import { handler } from '@/server/http/handler';
import { taskParams } from '@/server/http/names';
import { readTask } from '@/server/services/tasks/read-task';
import { tasksContext } from '@/server/services/tasks/tasks-context';

export const GET = handler({ params: taskParams, access: 'read' }, async (call) =>
  readTask(await tasksContext(call), call.params.id),
);

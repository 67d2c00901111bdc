import { taskRequest, tasksQuery } from '@/lib/contracts/tasks';
import { handler } from '@/server/http/handler';
import { listTasks } from '@/server/services/tasks/list-tasks';
import { submitTask } from '@/server/services/tasks/submit-task';
import { tasksContext } from '@/server/services/tasks/tasks-context';

export const GET = handler({ query: tasksQuery, access: 'read' }, async (call) =>
  listTasks(await tasksContext(call), call.query),
);

/** Room for the largest code and files, which base64 makes a third larger. */
const bodyBytes = 8 * 1024 * 1024;

export const POST = handler({ body: taskRequest, access: 'write', bodyBytes }, async (call) =>
  submitTask(await tasksContext(call), call.body),
);

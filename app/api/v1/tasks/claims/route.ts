import { handler } from '@/server/http/handler';
import { readClaimTimes } from '@/server/services/tasks/claim-times';
import { tasksContext } from '@/server/services/tasks/tasks-context';

export const GET = handler({ access: 'read' }, async (call) => readClaimTimes(await tasksContext(call)));

import { practiceRequest } from '@/lib/contracts/practice';
import { handler } from '@/server/http/handler';
import { changePractice } from '@/server/services/practice/change-practice';
import { readPractice } from '@/server/services/practice/read-practice';
import { serviceContext } from '@/server/services/service-context';

export const GET = handler({ access: 'read' }, async () => readPractice());

export const POST = handler({ body: practiceRequest, access: 'write' }, async (call) =>
  changePractice(await serviceContext(call), call.body),
);

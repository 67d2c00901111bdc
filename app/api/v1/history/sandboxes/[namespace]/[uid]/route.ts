import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { namespaceName } from '@/server/http/names';
import { historyContext } from '@/server/services/history/history-context';
import { readSandboxHistory } from '@/server/services/history/read-sandbox-history';

const params = z.object({ namespace: namespaceName, uid: z.string().regex(/^[\w-]{1,100}$/, 'is not a uid') });

export const GET = handler({ params, access: 'read' }, async (call) =>
  readSandboxHistory(await historyContext(call), call.params, call.principal.subject),
);

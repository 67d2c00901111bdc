import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { namespaceName } from '@/server/http/names';
import { readAccess } from '@/server/services/access/read-access';
import { serviceContext } from '@/server/services/service-context';

const query = z.object({ namespace: namespaceName.optional() });

export const GET = handler({ query, access: 'read' }, async (call) =>
  readAccess(await serviceContext(call), call.query.namespace),
);

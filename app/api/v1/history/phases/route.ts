import { z } from 'zod';
import { handler } from '@/server/http/handler';
import { namespacesQuery } from '@/server/http/names';
import { readPhases } from '@/server/services/history/read-phases';
import { serviceContext } from '@/server/services/service-context';

const query = z.object({ minutes: z.coerce.number().int().min(1).max(60).default(60), namespaces: namespacesQuery });

export const GET = handler({ query, access: 'read' }, async (call) => {
  const ctx = await serviceContext(call);
  return readPhases(ctx.phases, await ctx.scope(), call.query);
});

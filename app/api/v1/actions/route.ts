import { handler } from '@/server/http/handler';
import { listActions } from '@/server/services/actions/list-actions';
import { serviceContext } from '@/server/services/service-context';

export const GET = handler({ access: 'read' }, async (call) => {
  const ctx = await serviceContext(call);
  return listActions(ctx, await ctx.scope());
});

import { handler } from '@/server/http/handler';
import { liveContext } from '@/server/services/live/context';
import { listRows } from '@/server/services/live/list-rows';
import { rowsQuery } from '@/server/services/live/query';

export const GET = handler({ access: 'read', query: rowsQuery }, ({ principal, query }) => {
  const live = liveContext(principal, query.namespaces);
  return listRows(live, live.question);
});

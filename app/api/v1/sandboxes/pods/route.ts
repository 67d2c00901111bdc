import { sandboxPodsQuery } from '@/lib/contracts/sandbox-writes';
import { handler } from '@/server/http/handler';
import { liveContext } from '@/server/services/live/context';
import { readPods } from '@/server/services/sandboxes/read-pods';

export const GET = handler({ query: sandboxPodsQuery, access: 'read' }, ({ principal, query }) => {
  const { cluster, question } = liveContext(principal, undefined);
  return readPods(cluster, question, query.uids);
});

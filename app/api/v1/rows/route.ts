import { handler } from '@/server/http/handler';
import { liveContext } from '@/server/services/live/context';
import { listRows } from '@/server/services/live/list-rows';
import { rowsQuery } from '@/server/services/live/query';

type Context = { params: Promise<Record<string, string | string[] | undefined>> };

export function GET(request: Request, context: Context): Promise<Response> {
  const gzipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  return handler({ access: 'read', query: rowsQuery }, ({ principal, query }) => {
    const live = liveContext(principal, query.namespaces);
    return listRows(live, live.question, gzipped);
  })(request, context);
}

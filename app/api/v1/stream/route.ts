import { handler } from '@/server/http/handler';
import { liveContext } from '@/server/services/live/context';
import { openStream } from '@/server/services/live/open-stream';
import { streamQuery } from '@/server/services/live/query';

type Context = { params: Promise<Record<string, string | string[] | undefined>> };

export function GET(request: Request, context: Context): Promise<Response> {
  const lastEventId = request.headers.get('last-event-id');
  return handler({ access: 'read', query: streamQuery }, ({ principal, query, signal }) => {
    const { hub, question } = liveContext(principal, query.namespaces);
    return openStream(hub, question, { cursor: lastEventId || query.cursor, signal });
  })(request, context);
}

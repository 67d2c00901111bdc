import { readiness } from '@/server/services/live/readiness';

export const dynamic = 'force-dynamic';

export function GET(): Response {
  const { ready, kinds } = readiness();
  return Response.json({ ready, kinds }, { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}

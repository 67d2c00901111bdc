import { readiness } from '@/server/services/live/readiness';

export const dynamic = 'force-dynamic';

export function GET(): Response {
  const told = readiness();
  return Response.json(told, { status: told.ready ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}

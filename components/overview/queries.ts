import { queryOptions } from '@tanstack/react-query';
import { phaseHistoryReply } from '@/lib/contracts/objects';

async function read(path: string): Promise<unknown> {
  const reply = await fetch(path, { cache: 'no-store' });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}`);
  return reply.json();
}

/** `minutes`: how far back. */
export const phaseHistory = (minutes: number) =>
  queryOptions({
    queryKey: ['history', 'phases', minutes],
    queryFn: async () => phaseHistoryReply.parse(await read(`/api/v1/history/phases?minutes=${minutes}`)),
    refetchInterval: 15_000,
  });

import { useQuery } from '@tanstack/react-query';
import { podsAtOnce, type SandboxPodsReply, sandboxPodsReply } from '@/lib/contracts/sandbox-writes';
import { readJson } from '@/lib/read-json';

type Uids = SandboxPodsReply['pods'];

const everyMs = 2_000;
const none: Uids = {};

/**
 * The Pods of sandboxes that are to get new ones, asked for again and again until each has one.
 * @param awaited sandboxes by uid, with the uid of the Pod that is known to be the old one
 * @param sentAt tells one action from the next
 * @returns uids of the Pods there are, by uid of the sandbox
 */
export function useNewPods(awaited: ReadonlyMap<string, string | undefined>, sentAt: number): Uids {
  const queryKey = ['sandboxes', 'pods', sentAt];
  const open = (known: Uids) =>
    [...awaited].flatMap(([uid, before]) => (known[uid] === undefined || known[uid] === before ? [uid] : []));
  const { data = none } = useQuery({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const known = client.getQueryData<Uids>(queryKey) ?? none;
      const pods = { ...known };
      const uids = open(known);
      for (let from = 0; from < uids.length; from += podsAtOnce) {
        const path = `/api/v1/sandboxes/pods?uids=${uids.slice(from, from + podsAtOnce).join(',')}`;
        Object.assign(pods, (await readJson(sandboxPodsReply, path, { signal })).pods);
      }
      return pods;
    },
    enabled: awaited.size > 0,
    refetchInterval: ({ state }) => (open(state.data ?? none).length > 0 ? everyMs : false),
    gcTime: 0,
  });
  return data;
}

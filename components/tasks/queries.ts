import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { claimsReply, type TaskDraft, taskReply, tasksReply } from '@/lib/contracts/tasks';
import { readJson } from '@/lib/read-json';
import { post } from '../writes/api';

const pathOf = (id: string) => `/api/v1/tasks/${encodeURIComponent(id)}`;

export const streamPath = (id: string, after: number) => `${pathOf(id)}/stream?after=${after}`;
export const outputPath = (id: string, stream?: 'out' | 'err') =>
  `${pathOf(id)}/output${stream === undefined ? '' : `?stream=${stream}`}`;
export const filePath = (id: string, side: 'in' | 'out', name: string) =>
  `${pathOf(id)}/files?side=${side}&name=${encodeURIComponent(name)}`;

const restingMs = 15_000;
const busyMs = 3_000;

/** Whether tasks are set up here, how busy the console is with them, and the person's newest one. */
export const runner = () =>
  queryOptions({
    queryKey: ['tasks', 'runner'],
    queryFn: async ({ signal }) => {
      const { runner: now, tasks } = await readJson(tasksReply, '/api/v1/tasks?limit=1', { signal });
      return { runner: now, newest: tasks[0] };
    },
    refetchInterval: ({ state: { data } }) =>
      data?.runner.state === 'ready' && data.runner.running + data.runner.queued > 0 ? busyMs : restingMs,
    retry: false,
  });

export type HistoryFilter = { state: string | null; pool: string | null; origin: string | null; q: string };

/** The person's own tasks, newest first. */
export const history = (filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: ['tasks', 'list', filter],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
      if (pageParam !== undefined) query.set('before', pageParam);
      return readJson(tasksReply, `/api/v1/tasks?${query}`, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    placeholderData: (previous) => previous,
    refetchInterval: restingMs,
    retry: false,
  });

/** One task without its stream: what there is to say of it, and why there is none. */
export const taskOnce = (id: string) =>
  queryOptions({
    queryKey: ['tasks', 'one', id],
    queryFn: ({ signal }) => readJson(taskReply, pathOf(id), { signal }),
    gcTime: 0,
    retry: false,
  });

export const claims = () =>
  queryOptions({
    queryKey: ['tasks', 'claims'],
    queryFn: async ({ signal }) => (await readJson(claimsReply, '/api/v1/tasks/claims', { signal })).claims,
    staleTime: 10_000,
    retry: false,
  });

export const submitTask = (request: TaskDraft) => post(taskReply, '/api/v1/tasks', request);
export const cancelTask = (id: string) => post(taskReply, `${pathOf(id)}/cancel`, {});
export const releaseTask = (id: string) => post(taskReply, `${pathOf(id)}/release`, {});

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { activeStates, type Task } from '@/lib/contracts/tasks';
import { useNow } from '@/lib/live';
import { taskOnce } from '../queries';
import { TaskFeed, type TaskView } from './task-feed';

/** Without its stream, a task is read again so often. */
const withoutStreamMs = 3_000;

const nothing: TaskView = { state: 'connecting', heardAt: 0, lines: [], dropped: 0, skipped: 0, hasGap: false };

const notYet = () => () => undefined;
const isAlone = ({ state }: TaskView) => state === 'lost' || state === 'waiting';

/** A task, live. Mounted anew for another `id`. `error`: why there is nothing to show. */
export function useTask(id: string) {
  const [feed] = useState(() => new TaskFeed(id));
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...taskOnce(id),
    refetchInterval: () => (isAlone(feed.view()) ? withoutStreamMs : false),
  });
  // A stream cannot say why there is none: it is asked for when the task is known to be there.
  const view = useSyncExternalStore(data ? feed.listen : notYet, feed.view, () => nothing);
  // External system: the stream, beside which the task is read.
  useEffect(() => {
    if (data) feed.know(data.task);
  }, [feed, data]);
  const state = view.task?.state;
  // External system: the lists, which another task, or another state of this one, has changed.
  useEffect(() => {
    if (state !== undefined) void queries.invalidateQueries({ queryKey: ['tasks', 'list'] });
    if (state !== undefined && !activeStates.has(state)) {
      void queries.invalidateQueries({ queryKey: ['tasks', 'claims'] });
      void queries.invalidateQueries({ queryKey: ['tasks', 'runner'] });
    }
  }, [queries, state]);
  return {
    ...view,
    error: view.task ? null : error,
    again: () => void refetch(),
    know: (task: Task) => feed.know(task),
  };
}
export type TaskSeen = ReturnType<typeof useTask>;

/** The clock of the console's server as the task brought it, ticking with the page, epoch ms. */
export function useServerNow({ time }: Pick<Task, 'time'>, heardAt: number): number {
  useNow();
  return time + Math.max(0, performance.now() - heardAt);
}

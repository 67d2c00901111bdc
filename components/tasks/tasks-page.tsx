'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useQueryState, useQueryStates } from 'nuqs';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Runner, Task, TaskDraft, TaskSummary } from '@/lib/contracts/tasks';
import { claimable, offeredPool } from '@/lib/domain/tasks/offered-pool';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { PageHead, StaleBanner } from '../common';
import { usePoolViews } from '../pools/use-pool-views';
import { Button, Skeleton } from '../ui';
import { ClaimChart } from './claims/claim-chart';
import { formOf, type PoolName, requestOf, type TaskForm } from './form/task-form';
import { TaskFormView } from './form/task-form-view';
import { useTaskForm } from './form/use-task-form';
import { TaskHistory } from './history/task-history';
import { runner, submitTask, taskOnce } from './queries';
import { AskProblem } from './run/ask-problem';
import { TaskPanel } from './run/task-panel';
import { taskParams } from './task-params';
import { TasksOff } from './tasks-off';
import './tasks.css';

/** Runs Python in a sandbox that is claimed out of a pool, and shows where that came from and how long it took. */
export function TasksPage() {
  const t = useTranslations('tasks');
  const { data, error, refetch } = useQuery(runner());
  const cluster = useLiveStatus().freshness?.cluster;
  return (
    <>
      <PageHead
        title={t('title')}
        sub={t('sub')}
        actions={data?.runner.state === 'ready' ? <Busy runner={data.runner} /> : undefined}
      />
      <StaleBanner />
      {error && !data ? (
        <div className="task-part">
          <AskProblem error={error} title={t('unreadable')} />
          <div>
            <Button onClick={() => void refetch()}>{t('retry')}</Button>
          </div>
        </div>
      ) : data?.runner.state === 'off' ? (
        <Past missing={data.runner.missing} />
      ) : data && cluster ? (
        <Work
          key={`${cluster.name} ${cluster.server}`}
          cluster={`${cluster.name} ${cluster.server}`}
          newest={data.newest}
        />
      ) : (
        <div className="task-part" aria-busy="true">
          <Skeleton width={320} />
          <Skeleton width={260} />
        </div>
      )}
    </>
  );
}

function useOpenTask() {
  const [{ task }, setSearch] = useQueryStates(taskParams, { history: 'push' });
  return { task, open: useCallback((id: string) => void setSearch({ task: id }), [setSearch]) };
}

/** The pool that the address asks for goes into the form, and out of the address: what is chosen afterwards stays. */
function useAskedPool(edit: (part: { pool: PoolName }) => void): void {
  const [start, setStart] = useQueryState('start', taskParams.start);
  // External system: the address.
  useEffect(() => {
    const [ns, name] = start?.split('/') ?? [];
    if (ns && name) edit({ pool: { ns, name } });
    if (start !== null) void setStart(null);
  }, [edit, setStart, start]);
}

function Work({ cluster, newest }: { cluster: string; newest: TaskSummary | undefined }) {
  const { task, open } = useOpenTask();
  const queries = useQueryClient();
  const views = usePoolViews();
  const form = useTaskForm(cluster);
  useAskedPool(form.edit);
  /** The task that somebody asked to see, and not only to run. */
  const [focused, setFocused] = useState<string>();
  const onOpen = (id: string) => {
    setFocused(id);
    open(id);
  };
  const send = useMutation({
    mutationFn: ({ request }: { request: TaskDraft; again?: boolean }) => submitTask(request),
    onSuccess: (reply, { again: isAgain }) => {
      // Its button goes with the task that is open.
      if (isAgain) setFocused(reply.task.id);
      queries.setQueryData(taskOnce(reply.task.id).queryKey, reply);
      open(reply.task.id);
    },
    // Also without an answer: what was taken on stands in the history.
    onSettled: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  });
  const first = offeredPool(views, newest?.pool)?.pool;
  // What was offered first stays, whoever runs dry meanwhile.
  const [offered, setOffered] = useState(first);
  if (!offered && first) setOffered(first);
  const pool = form.form.pool ?? offered;
  const empty = claimable(views).find((view) => view.stats.available === 0 && view.pool.desired === 0)?.pool;
  const filled: typeof form = {
    ...form,
    form: { ...form.form, ...(pool ? { pool: { ns: pool.ns, name: pool.name } } : {}) },
  };
  const fields = useRef<HTMLElement>(null);
  const toForm = (next: TaskForm) => {
    form.replace(next);
    fields.current?.focus();
  };
  const again = (ran: Task, change: Partial<TaskForm> = {}) => {
    const next = formOf(ran, change);
    const { request } = requestOf(next);
    // Values of variables are not sent back: somebody has to type them.
    if (request && ran.request.env.length === 0) send.mutate({ request, again: true });
    else toForm(next);
  };
  return (
    <>
      <div className="task-work">
        <TaskFormView
          ref={fields}
          form={filled}
          views={views}
          send={{ submit: (request) => send.mutate({ request }), isSending: send.isPending, error: send.error }}
        />
        <div className="task-side">
          {task === null ? (
            <Hint />
          ) : (
            <TaskPanel
              key={task}
              id={task}
              onAgain={again}
              onEdit={(ran) => toForm(formOf(ran))}
              cold={
                empty && {
                  ns: empty.ns,
                  run: (ran) => again(ran, { pool: { ns: empty.ns, name: empty.name }, onNoStock: 'create' }),
                }
              }
              isSending={send.isPending}
              takesFocus={focused === task}
            />
          )}
          <ClaimChart pool={pool} />
        </div>
      </div>
      <TaskHistory openId={task} onOpen={onOpen} />
    </>
  );
}

/** Without a manager: what to set, and what was run before. */
function Past({ missing }: { missing: readonly string[] }) {
  const { task, open } = useOpenTask();
  return (
    <>
      <TasksOff missing={missing} />
      {missing.includes('CONSOLE_DATA_DIR') ? null : (
        <>
          {task === null ? null : <TaskPanel key={task} id={task} isSending={false} />}
          <TaskHistory openId={task} onOpen={open} />
        </>
      )}
    </>
  );
}

function Hint() {
  const t = useTranslations('tasks.hint');
  return (
    <section className="blank task-hint" aria-label={t('title')}>
      <h3>{t('title')}</h3>
      <p>{t('text')}</p>
    </section>
  );
}

function Busy({
  runner: { running, limit, queued, mine, perPerson },
}: {
  runner: Extract<Runner, { state: 'ready' }>;
}) {
  const t = useTranslations('tasks.busy');
  const f = useFormats();
  const counts = { running: f.number(running), limit: f.number(limit) };
  return (
    <span className="sm dim" title={t('own', { mine: f.number(mine), most: f.number(perPerson) })}>
      {t('running', counts)}
      {queued > 0 ? ` · ${t('queued', { queued })}` : null}
    </span>
  );
}

'use client';

import { useMutation } from '@tanstack/react-query';
import { PencilLine, RotateCw, Square } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { activeStates, type Task } from '@/lib/contracts/tasks';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useKindFreshness } from '@/lib/live';
import { SectionHead, TimeOfDay } from '../../common';
import { announce, Button, CopyButton, GuardedButton, Icon, Note, Skeleton, Spinner } from '../../ui';
import { useWriteGuard } from '../../writes/use-write-guard';
import { cancelTask } from '../queries';
import { AskProblem } from './ask-problem';
import { type Cold, ColdAgain } from './cold-again';
import { KeptSandbox } from './kept-sandbox';
import { OriginProof } from './origin-proof';
import { TaskFiles } from './task-files';
import { TaskNotes } from './task-notes';
import { TaskOutput } from './task-output';
import { TaskProblemNote } from './task-problem';
import { TaskSteps } from './task-steps';
import { type TaskSeen, useServerNow, useTask } from './use-task';
import { stateLooks } from './words';

export type TaskActs = {
  /** Runs it once more; absent where nothing can be run, as `onEdit`, which puts it into the form. */
  onAgain?: ((task: Task) => void) | undefined;
  onEdit?: ((task: Task) => void) | undefined;
  /** The same on an empty pool, in this namespace; absent where there is none. */
  cold?: Cold | undefined;
  isSending: boolean;
};

/** One task: its steps as they go, what it prints, what it left, and where its sandbox came from. */
export function TaskPanel({ id, ...acts }: { id: string } & TaskActs) {
  const t = useTranslations('tasks.task');
  const seen = useTask(id);
  if (seen.task) return <Shown task={seen.task} seen={seen} {...acts} />;
  return (
    <section aria-label={t('title')} aria-busy={seen.error === null}>
      <SectionHead title={t('title')} hint={<span className="mono">{id}</span>} />
      <div className="task-part">
        {seen.error ? (
          <>
            <AskProblem error={seen.error} title={t('unreadable')} />
            <div>
              <Button size="sm" onClick={seen.again}>
                {t('askAgain')}
              </Button>
            </div>
          </>
        ) : (
          <Skeleton width={220} />
        )}
      </div>
    </section>
  );
}

function Shown({ task, seen, onAgain, onEdit, cold, isSending }: { task: Task; seen: TaskSeen } & TaskActs) {
  const t = useTranslations('tasks.task');
  const now = useServerNow(task, seen.heardAt);
  const isActive = activeStates.has(task.state);
  const isAway = useKindFreshness('sandboxes')?.state === 'degraded';
  // Nothing is left to cancel then.
  const isGivenBack = task.steps.some(({ name, state }) => name === 'release' && state === 'running');
  const cancel = useMutation({
    mutationFn: () => cancelTask(task.id),
    onSuccess: (reply) => seen.know(reply.task),
  });
  const guard = useWriteGuard('runTask', task.pool.ns, undefined);
  useSaid(task);
  const head = useRef<HTMLDivElement>(null);
  // External system: the window. Below the form, and not beside it, nobody would see that anything began.
  useEffect(() => {
    const at = head.current?.getBoundingClientRect();
    const seen = head.current?.closest('main')?.getBoundingClientRect();
    if (at && seen && (at.top < seen.top || at.bottom > seen.bottom)) head.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <section aria-label={t('title')}>
      <div ref={head} className="sech task-head">
        <h2 className="cut" title={task.title}>
          {task.title}
        </h2>
        <TaskState task={task} />
        <span className="dim sm">
          <TimeOfDay at={task.createdAt} />
        </span>
        <span className="end row">
          {isActive ? (
            <Button
              size="sm"
              icon={Square}
              busy={cancel.isPending || task.state === 'cancelling' || isGivenBack}
              onClick={() => cancel.mutate()}
            >
              {t(isGivenBack ? 'givingBack' : 'cancel')}
            </Button>
          ) : onAgain && onEdit ? (
            <>
              <Button size="sm" icon={PencilLine} onClick={() => onEdit(task)}>
                {t('edit')}
              </Button>
              <GuardedButton guard={guard} size="sm" icon={RotateCw} busy={isSending} onClick={() => onAgain(task)}>
                {t('again')}
              </GuardedButton>
            </>
          ) : null}
          <CopyButton text={linkOf(task.id)} label={t('copyLink')} />
        </span>
      </div>
      <StreamState seen={seen} />
      {task.state === 'queued' ? (
        <p className="task-part mut">{isAway ? t('queuedAway') : t('queued', { ahead: task.ahead ?? 0 })}</p>
      ) : null}
      {cancel.error && isActive ? (
        <div className="task-part">
          <AskProblem error={cancel.error} title={t('notCancelled')} />
        </div>
      ) : null}
      <TaskSteps task={task} now={now} />
      {task.problem ? (
        <div className="task-part">
          <TaskProblemNote task={task} now={now} />
        </div>
      ) : null}
      <TaskNotes task={task} />
      <TaskOutput task={task} view={seen} />
      <KeptSandbox task={task} now={now} onTask={seen.know} />
      <TaskFiles task={task} />
      <OriginProof task={task} />
      {!isActive && onAgain && task.sandbox?.origin === 'warm' ? (
        <ColdAgain task={task} cold={cold} isSending={isSending} />
      ) : null}
    </section>
  );
}

const linkOf = (id: string) => `${window.location.origin}/tasks?task=${encodeURIComponent(id)}`;

/** The state: what stopped it, or else its exit code. */
export function TaskState({ task }: { task: Pick<Task, 'state' | 'exitCode' | 'problem'> }) {
  const t = useTranslations('tasks');
  const { state, exitCode, problem } = task;
  const { icon, tone } = stateLooks[state];
  const text =
    problem && (state === 'error' || state === 'failed')
      ? t(`problem.short.${problem.code}`)
      : exitCode !== undefined && (state === 'succeeded' || state === 'failed')
        ? t('exit', { code: exitCode })
        : t(`state.${state}`);
  return (
    <span className="st">
      {state === 'running' || state === 'cancelling' ? <Spinner /> : <Icon icon={icon} tone={tone} />}
      <span className={state === 'succeeded' ? 'mut' : 'b'}>{text}</span>
    </span>
  );
}

/** That what is shown may be old, and that the task itself goes on. */
function StreamState({ seen: { state } }: { seen: TaskSeen }) {
  const t = useTranslations('tasks.stream');
  if (state !== 'lost' && state !== 'waiting') return null;
  return (
    <div className="task-part">
      <Note tone="unknown" title={t(`${state}.title`)} live={state === 'lost'}>
        {t(`${state}.text`)}
      </Note>
    </div>
  );
}

/** Says each step that begins and how it ended, once; not what is printed. */
function useSaid(task: Task): void {
  const t = useTranslations('tasks');
  const f = useFormats();
  const step = task.steps.find(({ state }) => state === 'running')?.name;
  const isOver = task.endedAt !== undefined;
  const words = isOver
    ? `${t(`state.${task.state}`)}${task.exitCode === undefined ? '' : `, ${t('exit', { code: f.number(task.exitCode) })}`}`
    : step
      ? t('steps.begins', { step: t(`steps.name.${step}`) })
      : t(`state.${task.state}`);
  const said = useRef(isOver ? words : '');
  // External system: the screen reader.
  useEffect(() => {
    if (said.current === words) return;
    said.current = words;
    announce(words);
  }, [words]);
}

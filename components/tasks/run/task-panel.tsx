'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { PencilLine, RotateCw, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { activeStates, type Task } from '@/lib/contracts/tasks';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useKindFreshness } from '@/lib/live';
import { SectionHead, TimeOfDay } from '../../common';
import { announce, Button, CopyButton, GuardedButton, Icon, Note, Skeleton, Spinner } from '../../ui';
import { useWriteGuard } from '../../writes/use-write-guard';
import { cancelTask, runner } from '../queries';
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
  /** Somebody has asked to see it. */
  takesFocus?: boolean;
};

/** So long after the end of one that was cancelled here, a second press in the same place starts nothing. */
const doublePressMs = 1_000;

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

function Shown({
  task,
  seen,
  onAgain,
  onEdit,
  cold,
  isSending,
  takesFocus,
}: { task: Task; seen: TaskSeen } & TaskActs) {
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
  // External system: the focus, which must not be lost with the button that had it.
  useEffect(() => {
    if (takesFocus) head.current?.focus();
  }, [takesFocus]);
  const wasCancelled = cancel.status !== 'idle';
  const [isHeld, setHeld] = useState(false);
  if (wasCancelled && isActive && !isHeld) setHeld(true);
  // External system: the pointer, which is still where "Cancel" was.
  useEffect(() => {
    if (isActive || !isHeld) return;
    if (document.activeElement === document.body) head.current?.focus();
    const timer = setTimeout(() => setHeld(false), doublePressMs);
    return () => clearTimeout(timer);
  }, [isActive, isHeld]);
  return (
    <section aria-label={t('title')}>
      <div ref={head} className="sech task-head" tabIndex={-1}>
        <TaskState task={task} />
        <h2 className="cut" title={`${task.title} · ${task.id}`}>
          {task.title}
        </h2>
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
              <Button size="sm" icon={PencilLine} busy={isHeld} onClick={() => onEdit(task)}>
                {t('edit')}
              </Button>
              <GuardedButton
                guard={guard}
                size="sm"
                icon={RotateCw}
                busy={isSending || isHeld}
                onClick={() => onAgain(task)}
              >
                {t('again')}
              </GuardedButton>
            </>
          ) : null}
          <CopyButton text={linkOf(task.id)} label={t('copyLink')} />
        </span>
      </div>
      <StreamState seen={seen} />
      {task.state === 'queued' ? (
        <p className="task-part mut">{isAway ? t('queuedAway') : <Queued task={task} />}</p>
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

/** Whom it waits for: others, or the person's own, of which only some run at once. */
function Queued({ task }: { task: Task }) {
  const t = useTranslations('tasks.task');
  const { data } = useQuery(runner());
  const own = data?.runner.state === 'ready' && data.runner.mine > data.runner.perPerson ? data.runner : undefined;
  return (
    <>
      {t('queued', { ahead: task.ahead ?? 0 })} {own ? t('queuedOwn', { most: own.perPerson }) : null}
    </>
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

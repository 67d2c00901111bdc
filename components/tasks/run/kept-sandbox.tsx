'use client';

import { useMutation } from '@tanstack/react-query';
import type { Task } from '@/lib/contracts/tasks';
import { deadlineOf } from '@/lib/domain/deadlines';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button } from '../../ui';
import { releaseTask } from '../queries';
import { AskProblem } from './ask-problem';

/** A sandbox that was kept: how long it still lives, by what the manager answered, and the way to give it back. */
export function KeptSandbox({ task, now, onTask }: { task: Task; now: number; onTask: (task: Task) => void }) {
  const t = useTranslations('tasks.kept');
  const f = useFormats();
  const release = useMutation({
    mutationFn: () => releaseTask(task.id),
    onSuccess: (reply) => onTask(reply.task),
  });
  const { keptUntil } = task;
  if (keptUntil === undefined) return null;
  const end = deadlineOf(keptUntil, now);
  const left = typeof end === 'number' ? end - now : undefined;
  return (
    <section className="task-part" aria-label={t('title')}>
      <h3>{t('title')}</h3>
      <p role="timer">
        {left === undefined
          ? t('noLimit')
          : left > 0
            ? t('left', { left: f.coarse(left), at: f.dateTime(keptUntil) })
            : t('over', { at: f.dateTime(keptUntil) })}
      </p>
      {left === undefined || left > 0 ? (
        <div>
          <Button size="sm" busy={release.isPending} onClick={() => release.mutate()}>
            {t('giveBack')}
          </Button>
        </div>
      ) : null}
      {release.error ? <AskProblem error={release.error} title={t('failed')} /> : null}
    </section>
  );
}

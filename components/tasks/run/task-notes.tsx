'use client';

import type { Task, TaskNote } from '@/lib/contracts/tasks';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Exact, SafeText } from '../../common';

/** What went otherwise than hoped and did not end the task, in the order in which it came. */
export function TaskNotes({ task }: { task: Task }) {
  const t = useTranslations('tasks.note');
  if (task.notes.length === 0) return null;
  return (
    <ul className="task-notes" aria-label={t('label')}>
      {task.notes.map(({ code, at, detail }) => (
        <li key={`${code} ${at}`}>
          <span className="dim sm">
            <Exact at={at} />
          </span>{' '}
          {t(wordsOf(code))}
          {detail ? (
            <span className="mono dim sm wrap-any block">
              <SafeText text={detail} lines="keep" />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );

  function wordsOf(code: TaskNote['code']) {
    if (code === 'notReleased' && !task.sandbox) return 'claimUnclear';
    return code === 'connectionLost' && task.endedAt !== undefined ? 'connectionBroke' : code;
  }
}

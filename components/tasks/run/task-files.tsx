'use client';

import { Download } from 'lucide-react';
import type { StepName, Task } from '@/lib/contracts/tasks';
import { bytesText } from '@/lib/domain/tasks/bytes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Icon } from '../../ui';
import { filePath } from '../queries';

/** What the code wrote, to download; and what it was given. */
export function TaskFiles({ task }: { task: Task }) {
  const t = useTranslations('tasks.files');
  const { files } = task.request;
  const step = (name: StepName) => task.steps.find((each) => each.name === name);
  const isCollected = step('collect')?.state === 'done';
  const isOver = task.endedAt !== undefined && step('run')?.startedAt !== undefined;
  const hasResults = task.results.length > 0;
  const isSaid = hasResults || isCollected || isOver;
  if (!isSaid && files.length === 0) return null;
  return (
    <section className="task-part" aria-label={t(isSaid ? 'results' : 'given')}>
      {isSaid ? <h3>{t('results')}</h3> : null}
      {hasResults ? (
        <ul className="task-files">
          {task.results.map(({ path, bytes, stored }) => (
            <li key={path}>
              {stored ? (
                <FileLink href={filePath(task.id, 'out', path)} name={path} />
              ) : (
                <>
                  <span className="mono wrap-any">
                    <SafeText text={path} />
                  </span>{' '}
                  <span className="dim sm">{t('left')}</span>
                </>
              )}
              <span className="dim sm nw">{bytesText(bytes)}</span>
            </li>
          ))}
        </ul>
      ) : isSaid ? (
        <p className="dim">{t(isCollected ? 'none' : 'notYet')}</p>
      ) : null}
      {files.length > 0 ? (
        <>
          <h3>{t('given')}</h3>
          <ul className="task-files">
            {files.map(({ name, bytes }) => (
              <li key={name}>
                <FileLink href={filePath(task.id, 'in', name)} name={name} />
                <span className="dim sm nw">{bytesText(bytes)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function FileLink({ href, name }: { href: string; name: string }) {
  return (
    <a href={href} download className="row mono wrap-any">
      <Icon icon={Download} />
      <SafeText text={name} />
    </a>
  );
}

'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState } from '../common';

/** What each variable is for. One that this page does not know is named all the same. */
const known = ['E2B_API_URL', 'E2B_SANDBOX_URL', 'E2B_API_KEY', 'CONSOLE_DATA_DIR'] as const;

/** No manager is configured: what to set. Everything else of the console goes on without it. */
export function TasksOff({ missing }: { missing: readonly string[] }) {
  const t = useTranslations('tasks.off');
  return (
    <EmptyState title={t('title')}>
      {t('text')}
      <span className="task-variables">
        {missing.map((name) => {
          const variable = known.find((each) => each === name);
          return (
            <span key={name}>
              <code className="mono b">{name}</code>
              {variable ? ` ${t(`variable.${variable}`)}` : null}
            </span>
          );
        })}
      </span>
      {t('restart')}
    </EmptyState>
  );
}

'use client';

import { Snowflake } from 'lucide-react';
import type { Task } from '@/lib/contracts/tasks';
import { useTranslations } from '@/lib/i18n/use-translations';
import { GuardedButton } from '../../ui';
import { useWriteGuard } from '../../writes/use-write-guard';

/** Runs a task again on an empty pool, which is in this namespace. */
export type Cold = { ns: string; run: (task: Task) => void };

/** After a warm one: the same without a pool, to see what that saves. */
export function ColdAgain({ task, cold, isSending }: { task: Task; cold: Cold | undefined; isSending: boolean }) {
  const t = useTranslations('tasks.task');
  const guard = useWriteGuard('runTask', cold?.ns, undefined);
  return (
    <div className="task-part">
      <p className="mut sm">{t(cold ? 'coldText' : 'coldNone')}</p>
      {cold ? (
        <div>
          <GuardedButton guard={guard} size="sm" icon={Snowflake} busy={isSending} onClick={() => cold.run(task)}>
            {t('cold')}
          </GuardedButton>
        </div>
      ) : null}
    </div>
  );
}

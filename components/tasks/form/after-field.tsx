'use client';

import { taskLimits } from '@/lib/contracts/tasks';
import { useTranslations } from '@/lib/i18n/use-translations';
import { NumberField, RadioList } from '../../ui';
import type { TaskForm } from './task-form';

const ends = ['release', 'keepOnFailure', 'keep'] as const;

/** What happens to the sandbox afterwards, and whether an empty pool is worth a cold start. */
export function AfterField(props: {
  form: TaskForm;
  error: string | undefined;
  onChange: (part: Partial<TaskForm>) => void;
}) {
  const { form, onChange } = props;
  const t = useTranslations('tasks.after');
  return (
    <>
      <RadioList
        label={t('label')}
        value={form.after}
        onChange={(after) => onChange({ after })}
        options={ends.map((value) => ({ value, label: t(`do.${value}`), hint: t(`hint.${value}`) }))}
      />
      {form.after === 'release' ? null : (
        <div className="task-short">
          <NumberField
            label={t('minutes')}
            value={form.minutes}
            min={1}
            max={taskLimits.keepMinutes}
            error={props.error}
            onChange={(minutes) => onChange({ minutes })}
          />
        </div>
      )}
      <RadioList
        label={t('noStock.label')}
        value={form.onNoStock}
        onChange={(onNoStock) => onChange({ onNoStock })}
        options={(['create', 'fail'] as const).map((value) => ({
          value,
          label: t(`noStock.${value}`),
          hint: t(`noStock.hint.${value}`),
        }))}
      />
    </>
  );
}

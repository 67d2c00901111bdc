'use client';

import { RadioList, TextField } from '@/components/ui';
import type { SandboxActionRequest } from '@/lib/contracts/sandbox-writes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ActionConsequences } from './consequences';
import { CurrentToNew } from './current-to-new';
import { ActionFields } from './fields';
import type { Question } from './use-question';

type Field<T extends string = string> = { value: T; onChange: (value: T) => void };

/** What is asked before an action: the change, what it does, its fields, why, and the word that is to be typed. */
export function ActionForm(props: {
  question: Question;
  reason: Field;
  /** Absent: nothing is to be typed. */
  word: string | undefined;
  typed: Field;
  /** Of several. */
  failure: Field<SandboxActionRequest['onFailure']> | undefined;
}) {
  const { question, word, failure } = props;
  const t = useTranslations('sandboxes.actions');
  return (
    <>
      <CurrentToNew {...question} />
      <ActionConsequences {...question} />
      <ActionFields {...question} onChange={question.onDraft} />
      {failure ? (
        <RadioList
          label={t('onFailure.label')}
          {...failure}
          options={[
            { value: 'stop', label: t('onFailure.stop'), hint: t('onFailure.stopHint') },
            { value: 'continue', label: t('onFailure.continue'), hint: t('onFailure.continueHint') },
          ]}
        />
      ) : null}
      <TextField label={t('reason')} {...props.reason} maxLength={500} />
      {word === undefined ? null : (
        <TextField
          label={failure ? t('typeCount', { count: word }) : t('typeName', { name: word })}
          {...props.typed}
          {...(failure ? { inputMode: 'numeric' as const, className: 'write-short' } : { mono: true })}
          data-first
        />
      )}
    </>
  );
}

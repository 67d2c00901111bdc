'use client';

import { Play } from 'lucide-react';
import { useId } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { type Guard, GuardedButton, Kbd, useGuardReason } from '../../ui';

/** The button that runs the task, with what is in the way beside it. */
export function SendRow(props: {
  guard: Guard;
  isSending: boolean;
  /** Things to correct that are shown. */
  faults: number;
  isKept: boolean;
  onSubmit: () => void;
}) {
  const { guard, faults } = props;
  const t = useTranslations('tasks.form');
  const why = useGuardReason(guard);
  const id = useId();
  return (
    <div className="row task-send">
      <GuardedButton
        guard={guard}
        variant="primary"
        icon={Play}
        busy={props.isSending}
        aria-describedby={why ? id : undefined}
        onClick={props.onSubmit}
      >
        {t('submit')}
      </GuardedButton>
      <span className="row keysq" aria-hidden="true">
        <Kbd>⌘</Kbd>
        <Kbd>⏎</Kbd>
      </span>
      {why ? (
        <span id={id} className="sm mut wrap-any">
          {why}
        </span>
      ) : null}
      {faults > 0 ? <span className="ferr">{t('faults', { count: faults })}</span> : null}
      {props.isKept ? null : <span className="dim sm">{t('notKept')}</span>}
    </div>
  );
}

'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText, useProblemText } from '../common';
import { Button, CopyButton, Note, roleFor } from '../ui';
import { isRefusal, WriteError } from './api';

/** What was asked of the server; all but a write change nothing. */
type Asked = 'write' | 'dryRun' | 'plan' | 'reading';

/**
 * A write, or a question, that failed: whether anything happened, why (in the API server's own words where it was that), and
 * what to do next. Nothing typed is lost.
 * @param props.asked of a question; absent for a write
 * @param props.about what it was for, where the remedy depends on it
 * @param props.onAsk asks once more
 */
export function ProblemNote(
  props: { error: Error; about: 'pool' | 'upgrade' | 'sandbox' } & (
    | { asked?: undefined; onAsk?: undefined }
    | { asked: Exclude<Asked, 'write'>; onAsk?: () => void }
  ),
) {
  const { error, about, onAsk } = props;
  const asked: Asked = props.asked ?? 'write';
  const t = useTranslations('writes.problem');
  const fieldText = useTranslations('common.refusedField');
  const say = useProblemText();
  if (!(error instanceof WriteError)) {
    return (
      <Note tone="breach" title={t('unreadable')} live>
        <p>
          <SafeText text={error.message} lines="keep" />
        </p>
      </Note>
    );
  }
  const { code, reason, missing, applied, requestId, retryAfterSeconds } = error.problem;
  const message = say(error.problem);
  // The API server's sentence names its fields itself.
  const fields = (reason && error.problem.fields?.filter(({ field }) => field !== '')) ?? [];
  const unknown = applied === 'unknown';
  const title = unknown
    ? t('unknown')
    : asked === 'write'
      ? t('refused')
      : t(`${asked}.${isRefusal(error) ? 'refused' : 'unanswered'}`);
  const next = unknown ? t('next.unknown') : t(`next.${code}`, { seconds: retryAfterSeconds ?? 1, asked, about });
  const right = missing && { ...missing, namespace: missing.namespace ?? '' };
  return (
    <Note tone={unknown ? 'unknown' : 'breach'} title={title} live>
      <p className={reason ? undefined : 'mono'} style={{ overflowWrap: 'anywhere' }}>
        <SafeText text={message} lines="keep" />
      </p>
      {fields.map((refused) => (
        <p key={refused.field} className="sm" style={{ overflowWrap: 'anywhere' }}>
          <span className="mono">
            <SafeText text={refused.field} />
          </span>
          {': '}
          {refused.reason ? fieldText(refused.reason) : <SafeText text={refused.message} />}
        </p>
      ))}
      <p>{right ? t('missing', right) : next}</p>
      <p className="row sm">
        {onAsk ? (
          <Button size="sm" onClick={onAsk}>
            {t('askAgain')}
          </Button>
        ) : null}
        <CopyButton text={message} label={t('copy')} />
        {right ? <CopyButton text={roleFor(right)} label={t('copyRole')} /> : null}
        {requestId ? <span className="dim">{t('request', { id: requestId })}</span> : null}
      </p>
    </Note>
  );
}

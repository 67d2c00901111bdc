'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { CopyButton, Note, roleFor } from '../../ui';
import { WriteError } from './api';

/** A refused write: whether it happened, the API server's own words, and what to do next. Nothing typed is lost. */
export function ProblemNote({ error }: { error: Error }) {
  const t = useTranslations('writes.problem');
  if (!(error instanceof WriteError)) {
    return (
      <Note tone="breach" title={t('unreadable')} live>
        <p>
          <SafeText text={error.message} lines="keep" />
        </p>
      </Note>
    );
  }
  const { code, message, missing, applied, requestId, retryAfterSeconds } = error.problem;
  const unknown = applied === 'unknown';
  const next = unknown ? t('next.unknown') : t(`next.${code}`, { seconds: retryAfterSeconds ?? 1 });
  const right = missing && { ...missing, namespace: missing.namespace ?? '' };
  return (
    <Note tone={unknown ? 'unknown' : 'breach'} title={unknown ? t('unknown') : t('refused')} live>
      <p className="mono" style={{ overflowWrap: 'anywhere' }}>
        <SafeText text={message} lines="keep" />
      </p>
      <p>{right ? t('missing', right) : next}</p>
      <p className="row sm">
        <CopyButton text={message} label={t('copy')} />
        {right ? <CopyButton text={roleFor(right)} label={t('copyRole')} /> : null}
        {requestId ? <span className="dim">{t('request', { id: requestId })}</span> : null}
      </p>
    </Note>
  );
}

'use client';

import { useEffect, useState } from 'react';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { RequestError } from '@/lib/read-json';
import { SafeText, useProblemText } from '../../common';
import { CopyButton, Note, roleFor } from '../../ui';
import { problemOf } from '../../writes/api';

/** A request of this page that failed: whether anything came of it, why, and what to do. Nothing is sent again by itself. */
export function AskProblem({ error, title }: { error: Error; title: string }) {
  const t = useTranslations('tasks.ask');
  const say = useProblemText();
  const problem = error instanceof RequestError ? error.problem : undefined;
  const isUnknown = problem?.applied === 'unknown';
  const code = problem?.code ?? 'internal';
  const right = problem?.missing && { ...problem.missing, namespace: problem.missing.namespace ?? '' };
  const fields = (problem?.reason && problem.fields?.filter(({ field }) => field !== '')) || [];
  return (
    <Note tone={isUnknown ? 'unknown' : 'breach'} title={isUnknown ? t('unknown') : title} live>
      <p className="wrap-any">
        <SafeText text={say(problemOf(error))} lines="keep" />
      </p>
      {fields.map(({ field, message }) => (
        <p key={field} className="sm wrap-any">
          <span className="mono">{field}</span>: <SafeText text={message} />
        </p>
      ))}
      <p>{isUnknown ? t('next.unknown') : right ? t('missing', right) : t(nextOf(code))}</p>
      {problem?.retryAfterSeconds === undefined ? null : (
        <Wait key={problem.requestId} seconds={problem.retryAfterSeconds} />
      )}
      {right || problem?.requestId ? (
        <p className="row sm">
          {right ? <CopyButton text={roleFor(right)} label={t('copyRole')} /> : null}
          {problem?.requestId ? <span className="dim">{t('request', { id: problem.requestId })}</span> : null}
        </p>
      ) : null}
    </Note>
  );
}

function nextOf(code: string) {
  switch (code) {
    case 'rate_limited':
      return 'next.rateLimited';
    case 'validation':
    case 'malformed':
      return 'next.validation';
    case 'not_found':
    case 'precondition_failed':
      return 'next.gone';
    case 'history_unavailable':
      return 'next.history';
    case 'upstream_timeout':
    case 'upstream_unavailable':
      return 'next.away';
    default:
      return 'next.other';
  }
}

/** Counts down once; whether to ask again then is the person's. */
function Wait({ seconds }: { seconds: number }) {
  const t = useTranslations('tasks.ask');
  const f = useFormats();
  const [left, setLeft] = useState(Math.ceil(seconds));
  // External system: the clock.
  useEffect(() => {
    const end = performance.now() + seconds * 1_000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1_000))), 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  return <p role="timer">{left > 0 ? t('wait', { left: f.coarse(left * 1_000) }) : t('waited')}</p>;
}

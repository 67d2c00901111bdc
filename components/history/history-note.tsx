'use client';

import type { HistoryStore } from '@/lib/contracts/history';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText, useProblemText } from '../common';
import { Note } from '../ui';
import { problemOf } from '../writes/api';

/** That there is no history, or none that is kept, and why: what is live goes on. Nothing while all is well. */
export function HistoryNote({ store, error }: { store?: HistoryStore | undefined; error?: Error | null }) {
  const t = useTranslations('timing.store');
  const f = useFormats();
  const say = useProblemText();
  const why = error ? say(problemOf(error)) : store?.why;
  if (!error && (!store || (store.state === 'ok' && store.lostSince === undefined))) return null;
  const title =
    error || store?.state === 'unavailable' ? t('unavailable') : t(store?.state === 'off' ? 'off' : 'losing');
  return (
    <div className="px-[var(--gutter)] pb-3">
      <Note tone="unknown" title={title}>
        <p>
          {store?.lostSince === undefined ? null : `${t('lostSince', { at: f.dateTime(store.lostSince) })} `}
          {t('liveGoesOn')}
        </p>
        {why === undefined ? null : (
          <p className="mono wrap-anywhere">
            <SafeText text={why} />
          </p>
        )}
      </Note>
    </div>
  );
}

'use client';

import { useState } from 'react';
import { SafeText } from '@/components/common';
import { Button, Note } from '@/components/ui';
import { causeCode, displayState } from '@/lib/contracts/rows';
import { partsOfKey } from '@/lib/domain/cohorts';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import type { useChosen } from './use-chosen';
import type { useStuck } from './use-stuck';

/** What was linked and is not here any more: it is named, and nothing else is shown in its place without a word. */
export function LinkedNote({
  stuck,
  chosen,
}: {
  stuck: ReturnType<typeof useStuck>;
  chosen: ReturnType<typeof useChosen>;
}) {
  const t = useTranslations('stuck.linked');
  const tv = useTranslations('stuck.view');
  const f = useFormats();
  const now = useNow();
  const name = useNameOfKey();
  const { linked, search } = stuck;
  const key = search.cohort;
  // When a cohort was seen to end; of one that was over before nobody knows here.
  const [seen, setSeen] = useState<{ key: string; over?: number }>();
  if (key !== '' && linked.isListed && (seen?.key !== key || seen.over !== undefined)) setSeen({ key });
  if (linked.isMissing && !linked.elsewhere && seen?.key === key && seen.over === undefined) {
    setSeen({ key, over: now });
  }
  if (!linked.isMissing && !chosen.lost) return null;
  const over = seen?.key === key ? seen.over : undefined;
  const { elsewhere } = linked;
  return (
    <div className="px-[var(--gutter)] pb-3">
      <Note
        tone="unknown"
        live
        title={
          !linked.isMissing
            ? t('gone')
            : elsewhere
              ? t('elsewhere')
              : over === undefined
                ? t('over')
                : t('overSince', { at: f.time(over) })
        }
      >
        {linked.isMissing ? (
          <p className="wrap-anywhere">
            <SafeText text={name(key)} />
          </p>
        ) : null}
        {chosen.lost ? (
          <p className="wrap-anywhere">
            {linked.isMissing ? `${t('gone')}: ` : null}
            <SafeText text={`${chosen.lost.ns}/${chosen.lost.name}`} />
          </p>
        ) : null}
        <p className="mt-1">
          {elsewhere ? (
            <Button size="sm" onClick={() => stuck.showView(elsewhere)}>
              {t('show', { view: tv(elsewhere) })}
            </Button>
          ) : (
            <Button size="sm" onClick={() => stuck.setCohort(linked.isMissing ? '' : key)}>
              {t('others')}
            </Button>
          )}
        </p>
      </Note>
    </div>
  );
}

/** A cohort in words, from its key alone. */
function useNameOfKey(): (key: string) => string {
  const causes = useTranslations('domain.cause');
  const states = useTranslations('domain.state');
  const t = useTranslations('stuck');
  return (key) => {
    const parts = partsOfKey(key);
    if (!parts) return key;
    const cause = causeCode.safeParse(parts.cause).data;
    const state = displayState.safeParse(parts.state).data;
    return [
      cause ? causes(cause) : parts.cause || t('noCause'),
      state ? states(state) : parts.state,
      parts.pool === '' ? parts.ns : `${parts.ns}/${parts.pool}`,
      ...parts.split.filter((value) => value !== ''),
    ].join(' · ');
  };
}

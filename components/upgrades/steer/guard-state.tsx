'use client';

import type { UpgradeGuard } from '@/lib/contracts/upgrade-writes';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Exact, SafeText } from '../../common';
import { Note } from '../../ui';

/** The limits of a guard in words: "2 failures or 20 % of those that ended". */
export function useLimitsText() {
  const t = useTranslations('upgrades.steer.guard');
  return ({ failures, ratePercent }: UpgradeGuard['limits']) =>
    failures !== undefined && ratePercent !== undefined
      ? t('limitsBoth', { failures, rate: ratePercent })
      : failures !== undefined
        ? t('limitsFailures', { failures })
        : t('limitsRate', { rate: ratePercent ?? 0 });
}

/** How the guard of an operation stands: not set, armed, fired, or unable to pause. */
export function GuardState({ guard }: { guard: UpgradeGuard | null }) {
  const t = useTranslations('upgrades.steer.guard');
  const f = useFormats();
  const say = useLimitsText();
  if (!guard) return <p className="mut">{t('none')}</p>;
  const { limits, state, setBy, setAt, firedAt, problem } = guard;
  const set = t.rich('setBy', { by: setBy, at: () => <Exact at={setAt} /> });
  if (guard.unable) {
    return (
      <Note tone="breach" title={t('unable', { by: setBy })}>
        <p>
          {t('unableText', { limits: say(limits) })} <span className="mut">{set}</span>
        </p>
      </Note>
    );
  }
  if (state === 'armed') {
    return (
      <p role="status">
        <b className="b">{t('armed', { limits: say(limits) })}</b> <span className="mut">{set}</span>
      </p>
    );
  }
  const at = firedAt === undefined ? '–' : f.time(firedAt);
  return (
    <Note tone={state === 'fired' ? 'attention' : 'breach'} title={t(state, { at, limits: say(limits) })}>
      {problem ? (
        <p className="mono wrap-anywhere">
          <SafeText text={problem} lines="keep" />
        </p>
      ) : null}
      <p>
        {t(`${state}Text`)} {set}
      </p>
    </Note>
  );
}

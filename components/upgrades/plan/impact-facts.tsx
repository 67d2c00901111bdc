'use client';

import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Countdown, SafeText } from '../../common';
import { Consequences } from './consequences';
import type { Planning } from './planning';
import { useImpact } from './use-impact';
import { useSessions } from './use-sessions';

const shown = 8;

/** Sessions that are interrupted: whose they are, and which of them end meanwhile by their own deadline. */
export function ImpactFacts({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.impact');
  const f = useFormats();
  const { sessions, ending, windowMs, judgedBy } = useImpact(planning);
  const sessionOf = useSessions();
  if (!planning.preview.reply?.targets.length) return null;
  return (
    <div>
      <h2 className="plan-h">{t('title')}</h2>
      <Consequences planning={planning} />
      {sessions.length > 0 ? (
        <div className="plan-gap">
          <p className="fhint">{t('sessions')}</p>
          <dl className="plan-reasons">
            {sessions.slice(0, shown).map(({ session, count }) => (
              <div key={session ?? ''}>
                <dt className="num">{f.number(count)}</dt>
                <dd>
                  {session === undefined ? <span className="dim">{t('noOwner')}</span> : <SafeText text={session} />}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ) : null}
      {sessions.length > shown ? <p className="dim">{t('moreOwners', { count: sessions.length - shown })}</p> : null}
      <p className="mut plan-gap">
        {windowMs === undefined ? t('noWindow') : t('window', { duration: f.coarse(windowMs), count: judgedBy })}
      </p>
      {ending.length > 0 ? (
        <>
          <p className="plan-gap">{t('ending', { count: ending.length })}</p>
          <ul className="plan-ending">
            {ending.slice(0, shown).map((target) => (
              <li key={target.uid}>
                <span className="mono">
                  <SafeText text={target.name} />
                </span>
                <span className="dim">
                  <SafeText text={sessionOf(target) ?? ''} />
                </span>
                <span className="end">
                  <Countdown at={target.shutdownAt} />
                </span>
              </li>
            ))}
          </ul>
          {ending.length > shown ? <p className="dim">{t('moreEnding', { count: ending.length - shown })}</p> : null}
        </>
      ) : (
        <p className="mut">{t('noneEnding')}</p>
      )}
    </div>
  );
}

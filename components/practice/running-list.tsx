'use client';

import { useRef } from 'react';
import type { ParameterValues, PracticeRequest } from '@/lib/contracts/practice';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Ago, Countdown, SafeText, SectionHead, TimeOfDay } from '../common';
import { Button } from '../ui';
import type { Running } from './entries';

/** What is broken now: since when, until when, and the way to end it. */
export function RunningList({
  running,
  busy,
  onEnd,
}: {
  running: Running[];
  /** Key of what is being changed, `all` for everything. */
  busy: string | undefined;
  onEnd: (key: string, request: PracticeRequest, title: string) => void;
}) {
  const t = useTranslations('practice');
  const f = useFormats();
  const section = useRef<HTMLElement>(null);
  const wordsOf = (value: ParameterValues[string]) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return Array.isArray(value) ? f.list(value) : String(value);
  };
  const end = (key: string, request: PracticeRequest, title: string) => {
    // The button goes with what it ends: the focus must not fall out of the drawer.
    section.current?.focus();
    onEnd(key, request, title);
  };
  return (
    <section className="sec" ref={section} tabIndex={-1} aria-label={t('now')}>
      <SectionHead title={t('now')} />
      {running.length === 0 ? <p className="sm mut">{t('nothing')}</p> : null}
      <ul className="prac">
        {running.map((one) => (
          <li key={one.key}>
            <div>
              <b>
                <SafeText text={one.title} />
              </b>
              <div className="sm mut">
                {one.phase && one.phase !== 'standing' ? `${t(`phase.${one.phase}`)} · ` : null}
                {one.since === undefined ? null : (
                  <>
                    {t('since')} <TimeOfDay at={one.since} /> (<Ago at={one.since} bare />)
                  </>
                )}
                {one.phase === undefined && one.by === undefined ? (
                  <>
                    {' · '}
                    {one.until === undefined ? (
                      t('endless')
                    ) : (
                      <>
                        {t('until')} <TimeOfDay at={one.until} /> (<Countdown at={one.until} />)
                      </>
                    )}
                  </>
                ) : null}
                {one.by === undefined ? null : ` · ${t('byScenario', { title: one.by })}`}
              </div>
              {one.said.length === 0 ? null : (
                <div className="sm dim">
                  <SafeText
                    text={one.said.map(({ label, value }) => t('said', { label, value: wordsOf(value) })).join(' · ')}
                  />
                </div>
              )}
              {one.message === undefined ? null : (
                <div className="sm">
                  <SafeText text={one.message} />
                </div>
              )}
            </div>
            {one.end === undefined ? null : (
              <Button
                size="sm"
                aria-label={t('endOf', { title: one.title })}
                busy={busy === one.key || busy === 'all'}
                onClick={() => one.end && end(one.key, one.end, one.title)}
              >
                {t('end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {running.length > 1 ? (
        <Button size="sm" busy={busy === 'all'} onClick={() => end('all', { do: 'endAll' }, '')}>
          {t('endAll')}
        </Button>
      ) : null}
    </section>
  );
}

'use client';

import clsx from 'clsx';
import { severityTone } from '@/components/common';
import type { Severity } from '@/lib/domain/severity';
import type { Waterfall, WaterfallBar } from '@/lib/domain/waterfall';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { at } from './as-chart';
import { usePlaceName } from './place-name';

/** As a share of the track: a time of day is not written over by the next tick. */
const besideClock = 0.16;

/** Bars of stays. `severity`: of the one that still goes on. */
export function WaterfallChart({ fall, severity }: { fall: Waterfall; severity: Severity }) {
  const t = useTranslations('timing.waterfall');
  const f = useFormats();
  const clock = (ms: number) => f.time(ms).split(' ')[0] ?? '';
  // There is no room for the words of two; on a telephone not even for two lengths.
  const several = fall.collapsed.length > 1;
  const longestIdle = Math.max(0, ...fall.collapsed.map(({ ms }) => ms));
  return (
    <div className="tc">
      <div className="tr ax" aria-hidden="true">
        <span />
        <span className="trk">
          {fall.ticks.map(({ at: moment, x }, index) =>
            index > 0 && x < besideClock ? null : (
              <span key={moment} className={index === 0 ? undefined : 'hide-m'} style={{ left: at(x) }}>
                {index === 0 ? clock(moment) : `+${f.coarse(moment - fall.from)}`}
              </span>
            ),
          )}
        </span>
        <span className="val two">
          <span />
          <span className="m1">{t('lasted')}</span>
        </span>
      </div>
      {fall.bars.map((bar) => (
        <Bar
          key={`${bar.stay.from}/${bar.stay.state}/${bar.stay.stage}/${bar.stay.gate}/${bar.x0}`}
          bar={bar}
          fall={fall}
          severity={severity}
        />
      ))}
      {fall.collapsed.length > 0 ? (
        <div className="tr ax">
          <span className="lab">{several ? t('stills') : null}</span>
          <span className="trk">
            {fall.collapsed.map(({ x0, x1, ms }) => (
              <span
                key={x0}
                className={ms < longestIdle ? 'hide-m' : undefined}
                style={{ left: at((x0 + x1) / 2), transform: 'translateX(-50%)' }}
              >
                {several ? f.coarse(ms) : t('still', { duration: f.coarse(ms) })}
              </span>
            ))}
          </span>
          <span />
        </div>
      ) : null}
    </div>
  );
}

function Bar({ bar, fall, severity }: { bar: WaterfallBar; fall: Waterfall; severity: Severity }) {
  const { stay, x0, x1, open, band } = bar;
  const place = usePlaceName()(stay);
  const words = useStayWords()(bar);
  const tone = open ? severityTone(severity) : undefined;
  return (
    <div className="tr">
      <span className="lab" title={place}>
        {place}
      </span>
      <span
        className="trk"
        role="img"
        aria-label={`${place}: ${[words.lasted, words.note].filter(Boolean).join(', ')}`}
        data-tone={tone}
      >
        {fall.ticks.map((tick) => (
          <i key={tick.at} className="gl" style={{ left: at(tick.x) }} />
        ))}
        {band ? <i className="band" style={{ left: at(band.x0), width: at(band.x1 - band.x0) }} /> : null}
        <i
          className={clsx('seg1', open && 'cur', stay.from === undefined && 'torn', stay.torn && 'end-torn')}
          style={{ left: at(x0), width: at(Math.max(0, x1 - x0)) }}
        />
        {open ? <i className="open" style={{ left: at(x1) }} /> : null}
        {fall.collapsed.map((each) => (
          <i key={each.x0} className="brk" style={{ left: at((each.x0 + each.x1) / 2) }} />
        ))}
      </span>
      <span className="val two">
        <span className="dim cut text-left">{words.note}</span>
        <b className="m1" data-tone={tone}>
          {words.lasted}
        </b>
      </span>
    </div>
  );
}

/** How long a stay lasted and what is not known of it, in words. */
export function useStayWords(): (bar: WaterfallBar) => { lasted: string; note: string } {
  const t = useTranslations('timing.waterfall');
  const f = useFormats();
  return ({ stay, ms, atLeast, open }) => ({
    lasted: ms === undefined ? '–' : f.duration(ms, { atLeast }),
    note: stay.from === undefined ? t('onset') : stay.torn ? t('endUnseen') : open ? t('open') : '',
  });
}

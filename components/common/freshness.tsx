'use client';

import { Pause, Play, RefreshCw, Unplug } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { type LiveStatus, useLiveControls, useLiveState, useLiveStatus } from '@/lib/live';
import { useNarrow } from '../sandboxes/use-narrow';
import { announce } from '../ui/announcer';
import { Icon } from '../ui/icon';
import { Menu, MenuItem, MenuLine } from '../ui/menu';

/** The words of the chip: `Live · 2 s`. */
function useFreshnessText(): (status: LiveStatus) => string {
  const t = useTranslations('common.freshness');
  const f = useFormats();
  return ({ state, ageMs, dataFrom }) => {
    const age = f.coarse(ageMs);
    if (state === 'live' || state === 'delayed') return t(state, { age });
    if (state === 'reconnecting' && dataFrom !== undefined) return t('reconnecting', { from: f.time(dataFrom) });
    if (state === 'reconnecting') return t('reconnectingOnly');
    return t(state);
  };
}

const quiet = new Set<LiveStatus['state']>(['live', 'paused', 'loading']);

/** How current everything on the page is; its menu pauses and refreshes. Only a change of state is read aloud. */
export function FreshnessChip() {
  const status = useLiveStatus();
  const controls = useLiveControls();
  const text = useFreshnessText();
  const t = useTranslations('common.freshness');
  const said = useRef<LiveStatus['state'] | undefined>(undefined);
  useEffect(() => {
    const before = said.current;
    said.current = status.state;
    if (before !== undefined && before !== status.state && status.state !== 'loading') announce(text(status));
  }, [status, text]);
  const paused = status.state === 'paused';
  // A telephone has no room for the time of the data: the banner under it says that.
  const short = useNarrow() && status.state === 'reconnecting';
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="fresh"
          data-state={status.state}
          data-tone={quiet.has(status.state) ? undefined : 'attention'}
          aria-label={t('label', { state: text(status) })}
        >
          {paused ? <Icon icon={Pause} /> : null}
          <span className="ftext">{short ? t('reconnectingOnly') : text(status)}</span>
        </button>
      }
    >
      <MenuItem icon={RefreshCw} onSelect={() => void controls.refresh()}>
        {t('refresh')}
      </MenuItem>
      {paused ? (
        <MenuItem icon={Play} onSelect={controls.resume}>
          {t('resume')}
        </MenuItem>
      ) : (
        <MenuItem icon={Pause} onSelect={controls.pause}>
          {t('pause')}
        </MenuItem>
      )}
      <KindsOf status={status} />
      <ClockOf status={status} />
    </Menu>
  );
}

/** Which watched kinds are not live, and in the cluster's words why. */
function KindsOf({ status }: { status: LiveStatus }) {
  const t = useTranslations('common.freshness');
  const troubled = status.freshness?.kinds.filter((kind) => kind.state !== 'live') ?? [];
  if (troubled.length === 0) return null;
  return (
    <>
      <MenuLine />
      <ul className="kinds">
        {troubled.map((kind) => (
          <li key={kind.kind}>
            <span className="mono">{kind.kind}</span> <span className="dim">{t(`kind.${kind.state}`)}</span>
            {kind.reason ? <span className="dim block">{kind.reason}</span> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

/** That the cluster's clock differs, and that this is taken out of every duration. */
function ClockOf({ status }: { status: LiveStatus }) {
  const t = useTranslations('common.freshness');
  const f = useFormats();
  const ahead = status.freshness?.cluster.clockAheadMs;
  if (ahead === undefined) return null;
  return (
    <>
      <MenuLine />
      <p className="kinds dim">{t(ahead > 0 ? 'clockAhead' : 'clockBehind', { by: f.coarse(Math.abs(ahead)) })}</p>
    </>
  );
}

/** Over numbers that are no longer current. Renders nothing while they are. */
export function StaleBanner() {
  const state = useLiveState();
  return state === 'reconnecting' ? <Banner /> : null;
}

function Banner() {
  const status = useLiveStatus();
  const controls = useLiveControls();
  const t = useTranslations('common.freshness');
  const f = useFormats();
  const { dataFrom, ageMs, lost = 'console', lostBecause } = status;
  return (
    <div className="stale">
      <Icon icon={Unplug} tone="attention" />
      <span title={lostBecause}>
        {t(`lost.${lost}`)}
        {dataFrom === undefined ? null : ` ${t('banner', { from: f.time(dataFrom), age: f.coarse(ageMs) })}`}
      </span>
      <button type="button" className="link" onClick={() => void controls.refresh()}>
        {t('tryNow')}
      </button>
    </div>
  );
}

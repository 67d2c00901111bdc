'use client';

import { CircleArrowUp, Layers, TimerOff } from 'lucide-react';
import type { PoolView } from '@/lib/domain/pool-views';
import { stillFails } from '@/lib/domain/upgrades/view';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { type FigureLevel, type FigureProps, FigureStrip, useListState } from '../common';
import type { Overview } from './use-overview';

type Figure = FigureProps & { id: string };

export function OverviewFigures({ overview }: { overview: Overview }) {
  const t = useTranslations('overview');
  const ready = useListState('sandboxes') === 'ready';
  const figures = [
    useStuck(overview),
    useUpgrades(overview),
    usePools(overview),
    useSessions(overview),
    useClaims(overview),
  ];
  const shown = ready
    ? figures
    : figures.map((figure) => ({ ...figure, level: 'none' as const, unit: null, note: null }));
  return <FigureStrip label={t('figures.label')} figures={shown} />;
}

function useStuck({ stuck }: Overview): Figure {
  const t = useTranslations('overview.figures.stuck');
  const count = stuck.breach + stuck.warn;
  const level: FigureLevel = stuck.breach > 0 ? 'worst' : stuck.warn > 0 ? 'warn' : 'calm';
  return {
    id: 'stuck',
    label: t('label'),
    value: useFormats().number(count),
    note: [
      ...(stuck.breach > 0 ? [t('breach', { count: stuck.breach })] : []),
      ...(stuck.warn > 0 ? [t('warn', { count: stuck.warn })] : []),
      ...(count > 0 ? [t('sessions', { count: stuck.sessions })] : stuck.putOff > 0 ? [] : [t('calm')]),
      ...(stuck.putOff > 0 ? [t('putOff', { count: stuck.putOff })] : []),
    ].join(' · '),
    level,
    icon: TimerOff,
    href: '/stuck',
  };
}

function useUpgrades({ upgrades, stuck }: Overview): Figure {
  const t = useTranslations('overview.figures.upgrades');
  const deadlocked = upgrades.filter(({ view: { phase } }) => phase === 'Deadlocked').length;
  const failed = upgrades.filter(({ view }) => stillFails(view)).length;
  const running = upgrades.filter(({ view: { phase } }) => phase === 'Updating' || phase === 'PausedBySpec').length;
  const finished = upgrades.filter(
    ({ view }) => view.phase === 'Completed' || (view.phase === 'Failed' && !stillFails(view)),
  ).length;
  const loud = deadlocked + failed > 0;
  return {
    id: 'upgrades',
    label: t('label'),
    value:
      deadlocked > 0
        ? t('deadlocked', { count: deadlocked })
        : failed > 0
          ? t('failed', { count: failed })
          : t('running', { count: running }),
    note: loud ? t('moreRunning', { count: running }) : t('finished', { count: finished }),
    // One red tint a screen: the stuck figure has it first.
    level: loud ? (stuck.breach > 0 ? 'act' : 'worst') : 'calm',
    icon: CircleArrowUp,
    href: '/upgrades',
  };
}

function usePools({ pools }: Overview): Figure {
  const t = useTranslations('overview.figures.pools');
  const f = useFormats();
  const below = pools.filter(({ shortage }) => shortage !== 'calm').length;
  const first = pools.find(({ runway }) => runway.kind === 'empty-in' || runway.kind === 'empty');
  const runway = first?.runway;
  const missing = ({ pool, stats }: PoolView) => Math.max(0, pool.desired - (stats.available - stats.locked));
  const lacking = () => {
    const short = pools.filter((view) => missing(view) > 0);
    const count = short.reduce((sum, view) => sum + missing(view), 0);
    return short.length > 0 ? t('short', { pools: short.length, count, name: short[0]?.pool.name ?? '' }) : t('steady');
  };
  const emptying = ({ pool: { name } }: PoolView) =>
    runway?.kind === 'empty-in'
      ? t('emptyIn', { name, duration: f.coarse(runway.minutes * 60_000) })
      : t('empty', { name });
  const short = first ? missing(first) : 0;
  const note = first ? emptying(first) + (short > 0 ? ` · ${t('missing', { count: short })}` : '') : lacking();
  return {
    id: 'pools',
    label: t('label'),
    value: f.number(below),
    unit: t('of', { count: pools.length }),
    note,
    level: below > 0 ? 'warn' : 'calm',
    icon: Layers,
    href: '/pools',
  };
}

function useSessions({ sessions }: Overview): Figure {
  const t = useTranslations('overview.figures.sessions');
  const f = useFormats();
  const now = useNow();
  const paused = t('paused', { count: sessions.paused });
  const next = sessions.nextShutdownAt;
  return {
    id: 'sessions',
    label: t('label'),
    value: f.number(sessions.claimed),
    note: next === undefined || next <= now ? paused : `${paused} · ${t('next', { duration: f.coarse(next - now) })}`,
    href: '/sandboxes?claimed=claimed',
  };
}

function useClaims({ claimsPerMin, refillsPerMin }: Overview): Figure {
  const t = useTranslations('overview.figures.claims');
  const f = useFormats();
  return {
    id: 'claims',
    label: t('label'),
    value: claimsPerMin === undefined ? '–' : f.decimal(claimsPerMin),
    level: claimsPerMin === undefined ? 'none' : 'calm',
    note: refillsPerMin === undefined ? t('unknown') : t('refills', { rate: f.decimal(refillsPerMin) }),
    href: '/pools',
  };
}

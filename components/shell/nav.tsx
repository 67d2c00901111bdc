'use client';

import { PanelLeft } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useMemo } from 'react';
import { isStuck, severityOf } from '@/lib/domain/severity';
import { isActive } from '@/lib/domain/upgrades/view';
import { useFormats, usePreferences } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useLiveStatus, useNow, useRows } from '@/lib/live';
import { useListState } from '../common/list-states';
import { useMarks } from '../stuck/owner/use-marks';
import { IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { Mark } from './mark';
import { type Area, areaOf, areas, wantsRoom } from './navigation';
import { useScope } from './scope';

/** Live counts of the pages, and what they count; undefined while nothing is known, so that no 0 is shown for it. */
function useCounts(): { red: boolean; of: Partial<Record<Area, { count: number; title: string }>> } {
  const t = useTranslations('shell.nav');
  const sandboxes = useRows('sandboxes');
  const pools = useRows('sandboxsets');
  const upgrades = useRows('sandboxupdateops');
  const now = useNow(5_000);
  const limits = useLimits();
  const { markOf } = useMarks(useScope().namespaces);
  const ready = {
    sandboxes: useListState('sandboxes') === 'ready',
    pools: useListState('sandboxsets') === 'ready',
    upgrades: useListState('sandboxupdateops') === 'ready',
  };
  const stuck = useMemo(() => {
    const all = sandboxes.filter((row) => isStuck(row, now, limits));
    const rows = all.filter((row) => markOf(row)?.kind !== 'snooze');
    return {
      count: rows.length,
      putOff: all.length - rows.length,
      red: rows.some((row) => severityOf(row, now, limits) === 'breach'),
    };
  }, [limits, markOf, now, sandboxes]);
  const active = useMemo(() => upgrades.filter(isActive).length, [upgrades]);
  const told = (key: 'stuckCount' | 'poolsCount' | 'sandboxesCount' | 'upgradesCount', count: number) => ({
    count,
    title: t(key, { count }),
  });
  const stuckTold = told('stuckCount', stuck.count);
  if (stuck.putOff > 0) stuckTold.title += ` · ${t('putOff', { count: stuck.putOff })}`;
  return {
    red: stuck.red,
    of: {
      ...(ready.sandboxes ? { sandboxes: told('sandboxesCount', sandboxes.length), stuck: stuckTold } : {}),
      ...(ready.pools ? { pools: told('poolsCount', pools.length) } : {}),
      ...(ready.upgrades ? { upgrades: told('upgradesCount', active) } : {}),
    },
  };
}

/** The list of pages, in the side bar and in the menu of narrow screens. */
export function NavList({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('shell.nav');
  const f = useFormats();
  const current = areaOf(usePathname());
  const counts = useCounts();
  return (
    <ul>
      {areas.map(({ id, href, icon }) => {
        const { count, title } = counts.of[id] ?? {};
        const loud = id === 'stuck' && count !== undefined && count > 0;
        return (
          <li key={id}>
            <Link
              href={href}
              title={title ?? t(id)}
              aria-current={id === current ? 'page' : undefined}
              {...(onNavigate ? { onClick: onNavigate } : {})}
            >
              <Icon icon={icon} />
              <span className="lbl">{t(id)}</span>
              {count === undefined || (count === 0 && id !== 'sandboxes' && id !== 'pools') ? null : (
                <span className="n" data-tone={loud ? (counts.red ? 'breach' : 'attention') : undefined}>
                  {f.number(count)}
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

export function useMiniNav(): boolean {
  const { nav } = usePreferences();
  const pathname = usePathname();
  return nav === 'mini' || (nav === 'auto' && wantsRoom(pathname));
}

/** The side bar, wide or as icons. */
export function Nav({ version }: { version: string }) {
  const t = useTranslations('shell');
  const { setNav } = usePreferences();
  const mini = useMiniNav();
  const kubernetes = useLiveStatus().freshness?.cluster.version;
  return (
    <nav className="nav" aria-label={t('nav.label')}>
      <Link href="/" className="brand" aria-label={t('product')}>
        <Mark />
        <b>{t('product')}</b>
      </Link>
      <NavList />
      <div className="navf">
        <div className="foot">
          {kubernetes ? (
            <>
              {t('foot.kubernetes', { version: kubernetes })}
              <br />
            </>
          ) : null}
          {t('foot.console', { version })}
        </div>
        <IconButton
          label={t(mini ? 'nav.expand' : 'nav.collapse')}
          icon={PanelLeft}
          onClick={() => setNav(mini ? 'wide' : 'mini')}
        />
      </div>
    </nav>
  );
}

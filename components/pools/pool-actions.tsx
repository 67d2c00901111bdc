'use client';

import { CircleArrowUp, Ellipsis, FilePen, Maximize2, Scaling } from 'lucide-react';
import type { PoolRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { objectHref, upgradePoolHref } from '../shell/navigation';
import { IconButton, Menu, MenuItem, MenuLink } from '../ui';
import type { OpenForm } from './pool-form';

/** What can be done with a pool, from its row in the list. */
export function PoolActions({ pool, onForm }: { pool: PoolRow; onForm: (form: OpenForm) => void }) {
  const t = useTranslations('pools.action');
  return (
    <Menu
      align="end"
      trigger={<IconButton label={t('menu', { name: pool.name })} icon={Ellipsis} data-menu-of={pool.uid} />}
    >
      <MenuItem icon={Scaling} onSelect={() => onForm({ which: 'scale', pool })}>
        {t('scale')}
      </MenuItem>
      <MenuItem icon={FilePen} onSelect={() => onForm({ which: 'template', pool })}>
        {t('template')}
      </MenuItem>
      <MenuLink icon={CircleArrowUp} href={upgradePoolHref(pool.ns, pool.name)}>
        {t('upgrade')}
      </MenuLink>
      <MenuLink icon={Maximize2} href={objectHref('pools', pool.ns, pool.name)}>
        {t('open')}
      </MenuLink>
    </Menu>
  );
}

/** The button that the menu of a pool hangs on, when its row is on screen. */
export const menuButtonOf = (pool: PoolRow) =>
  document.querySelector<HTMLElement>(`[data-menu-of="${CSS.escape(pool.uid)}"]`);

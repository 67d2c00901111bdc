'use client';

import { Ellipsis, FilePen, Maximize2, Scaling } from 'lucide-react';
import { useState } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { objectHref } from '../shell/navigation';
import { IconButton, Menu, MenuItem, MenuLink } from '../ui';
import { ScaleDrawer } from './scale-drawer';
import { TemplateDrawer } from './template-drawer';

type Open = 'scale' | 'template' | undefined;

/** What can be done with a pool, from its row in the list. */
export function PoolActions({ pool }: { pool: PoolRow }) {
  const t = useTranslations('pools.action');
  const [open, setOpen] = useState<Open>();
  const change = (which: Open) => (isOpen: boolean) => setOpen(isOpen ? which : undefined);
  return (
    <>
      <Menu align="end" trigger={<IconButton label={t('menu', { name: pool.name })} icon={Ellipsis} />}>
        <MenuItem icon={Scaling} onSelect={() => setOpen('scale')}>
          {t('scale')}
        </MenuItem>
        <MenuItem icon={FilePen} onSelect={() => setOpen('template')}>
          {t('template')}
        </MenuItem>
        <MenuLink icon={Maximize2} href={objectHref('pools', pool.ns, pool.name)}>
          {t('open')}
        </MenuLink>
      </Menu>
      <ScaleDrawer pool={pool} open={open === 'scale'} onOpenChange={change('scale')} />
      <TemplateDrawer pool={pool} open={open === 'template'} onOpenChange={change('template')} />
    </>
  );
}

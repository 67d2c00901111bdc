'use client';

import { Menu as MenuIcon, Search, Server } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { FreshnessChip } from '../common/freshness';
import { SafeText } from '../common/safe-text';
import { IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { Kbd } from '../ui/kbd';
import { Sheet } from '../ui/overlay';
import { Popover } from '../ui/popover';
import { NamespaceList, NamespacePicker } from './namespace-picker';
import { NavList } from './nav';
import { PersonBadge } from './person';
import { SettingsMenu, SettingsMenus } from './settings';

/** Which cluster this is: always in sight, never a guess. */
function ClusterName() {
  const t = useTranslations('shell.cluster');
  const cluster = useLiveStatus().freshness?.cluster;
  if (!cluster) return null;
  return (
    <>
      <Popover
        label={t('label', { name: cluster.name })}
        trigger={
          <button type="button" className="pick clu">
            <Icon icon={Server} className="hide-m" />
            <b className="cut">
              <SafeText text={cluster.name} />
            </b>
          </button>
        }
      >
        <div className="pinfo">
          <span className="b">{t('label', { name: cluster.name })}</span>
          <span className="sm mut wrap-any">{t('server', { server: cluster.server })}</span>
          {cluster.version ? <span className="sm mut">{t('version', { version: cluster.version })}</span> : null}
        </div>
      </Popover>
      <span className="dim hide-m slash" aria-hidden="true">
        /
      </span>
    </>
  );
}

export function Header({ onPalette }: { onPalette: () => void }) {
  const t = useTranslations('shell');
  const [menu, setMenu] = useState(false);
  return (
    <header className="bar">
      <IconButton className="only-m" label={t('nav.menu')} icon={MenuIcon} large onClick={() => setMenu(true)} />
      <ClusterName />
      <NamespacePicker />
      <button type="button" className="find" onClick={onPalette}>
        <Icon icon={Search} />
        <span className="cut">{t('palette.open')}</span>
        <Kbd>⌘K</Kbd>
      </button>
      <span className="grow only-m" />
      <FreshnessChip />
      <span className="sep hide-m" />
      <SettingsMenus />
      <PersonBadge />
      <IconButton className="only-m" label={t('palette.open')} icon={Search} onClick={onPalette} />
      <Sheet open={menu} onOpenChange={setMenu} title={t('product')}>
        <nav className="mnav" aria-label={t('nav.label')}>
          <NavList onNavigate={() => setMenu(false)} />
        </nav>
        <section className="msec">
          <h3>{t('namespaces.label')}</h3>
          <NamespaceList />
        </section>
        <section className="msec">
          <SettingsMenu />
        </section>
      </Sheet>
    </header>
  );
}

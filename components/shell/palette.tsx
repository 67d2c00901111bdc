'use client';

import { Command } from 'cmdk';
import {
  CircleArrowUp,
  Clock,
  History,
  Keyboard,
  Languages,
  type LucideIcon,
  RefreshCw,
  Rows3,
  Search,
  SquareTerminal,
  SunMoon,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTheme } from 'next-themes';
import { Dialog } from 'radix-ui';
import { useDeferredValue, useRef, useState } from 'react';
import { locales, usePreferences } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveControls } from '@/lib/live';
import { SafeText } from '../common/safe-text';
import { useFocusReturn } from '../ui/focus-return';
import { Icon } from '../ui/icon';
import { areas } from './navigation';
import { PaletteItem } from './palette-item';
import { PaletteObjects } from './palette-objects';
import { type RecentPlace, readRecent, rememberRecent } from './recent';
import { themes } from './settings';
import { useFirstOption } from './use-first-option';

type PaletteProps = { open: boolean; onOpenChange: (open: boolean) => void; onHelp: () => void };

/** ⌘K: to any page or object of the scope, over all rows, and to the settings. */
export function Palette({ open, onOpenChange, onHelp }: PaletteProps) {
  const t = useTranslations('shell.palette');
  const focus = useFocusReturn();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim over" />
        <Dialog.Content
          className="palette"
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
        >
          <Dialog.Title className="vh">{t('label')}</Dialog.Title>
          <PaletteBody close={() => onOpenChange(false)} onHelp={onHelp} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ close, onHelp }: { close: () => void; onHelp: () => void }) {
  const t = useTranslations('shell');
  const [query, setQuery] = useState('');
  const words = useDeferredValue(query);
  const list = useRef<HTMLDivElement>(null);
  useFirstOption(list, words);
  const router = useRouter();
  const [recent] = useState(readRecent);
  const go = (place: RecentPlace, href = place.href) => {
    rememberRecent(place);
    close();
    router.push(href);
  };
  const matches = (label: string) => label.toLowerCase().includes(words.trim().toLowerCase());
  const pages = areas.map((area) => ({ ...area, label: t(`nav.${area.id}`) })).filter(({ label }) => matches(label));
  return (
    <Command shouldFilter={false} label={t('palette.label')} loop>
      <div className="pq">
        <Icon icon={Search} />
        <Command.Input value={query} onValueChange={setQuery} placeholder={t('palette.placeholder')} />
      </div>
      <Command.List ref={list} className="plist">
        <Command.Empty className="pnone">{t('palette.empty')}</Command.Empty>
        {words.trim() === '' && recent.length > 0 ? (
          <Command.Group heading={t('palette.recent')}>
            {recent.map((place) => (
              <PaletteItem key={place.href} value={`recent ${place.href}`} icon={History} onSelect={() => go(place)}>
                <SafeText text={place.label} />
              </PaletteItem>
            ))}
          </Command.Group>
        ) : null}
        {pages.length > 0 ? (
          <Command.Group heading={t('palette.pages')}>
            {pages.map((page) => (
              <PaletteItem
                key={page.id}
                value={`page ${page.id}`}
                icon={page.icon}
                hint={`g ${page.key}`}
                onSelect={() => go({ href: page.href, label: page.label })}
              >
                {page.label}
              </PaletteItem>
            ))}
          </Command.Group>
        ) : null}
        <PaletteObjects query={words} go={go} />
        <Actions matches={matches} close={close} onHelp={onHelp} go={go} />
      </Command.List>
    </Command>
  );
}

function Actions({
  matches,
  close,
  onHelp,
  go,
}: {
  matches: (label: string) => boolean;
  close: () => void;
  onHelp: () => void;
  go: (place: RecentPlace) => void;
}) {
  const t = useTranslations('shell.palette');
  const { setTheme } = useTheme();
  const { setLocale, setZone, setDensity } = usePreferences();
  const controls = useLiveControls();
  const actions: { id: string; label: string; icon: LucideIcon; run: () => void }[] = [
    {
      id: 'new-upgrade',
      label: t('newUpgrade'),
      icon: CircleArrowUp,
      run: () => go({ href: '/upgrades/new', label: t('newUpgrade') }),
    },
    {
      id: 'new-task',
      label: t('newTask'),
      icon: SquareTerminal,
      run: () => go({ href: '/tasks', label: t('newTask') }),
    },
    { id: 'refresh', label: t('refresh'), icon: RefreshCw, run: () => void controls.refresh() },
    ...themes.map((name) => ({
      id: `theme-${name}`,
      label: t(`theme.${name}`),
      icon: SunMoon,
      run: () => setTheme(name),
    })),
    ...locales.map((name) => ({
      id: `language-${name}`,
      label: t(`language.${name}`),
      icon: Languages,
      run: () => setLocale(name),
    })),
    ...(['utc', 'local'] as const).map((name) => ({
      id: `zone-${name}`,
      label: t(`zone.${name}`),
      icon: Clock,
      run: () => setZone(name),
    })),
    ...(['compact', 'comfortable'] as const).map((name) => ({
      id: `density-${name}`,
      label: t(`density.${name}`),
      icon: Rows3,
      run: () => setDensity(name),
    })),
    { id: 'help', label: t('help'), icon: Keyboard, run: onHelp },
  ];
  const shown = actions.filter(({ label }) => matches(label));
  if (shown.length === 0) return null;
  return (
    <Command.Group heading={t('actions')}>
      {shown.map((action) => (
        <PaletteItem
          key={action.id}
          value={`action ${action.id}`}
          icon={action.icon}
          onSelect={() => {
            close();
            action.run();
          }}
        >
          {action.label}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}

'use client';

import { useRouter } from 'next/navigation';
import { useLocale } from 'next-intl';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { createFormats, type Formats } from './formats';
import { type AppLocale, localeCookie } from './locales';
import { type Preferences, preferenceCookies, rememberPreference } from './preferences';
import { localTimeZone } from './time-zone';

type PreferencesValue = Omit<Preferences, 'locale'> & {
  setLocale: (locale: AppLocale) => void;
  /** Local means the zone of this browser. */
  setZone: (zone: 'utc' | 'local') => void;
  setDensity: (density: Preferences['density']) => void;
  setNav: (nav: Preferences['nav']) => void;
  formats: Formats;
};

const PreferencesContext = createContext<PreferencesValue | null>(null);

export function PreferencesProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const router = useRouter();
  const locale = useLocale();
  const [timeZone, keepZone] = useState(initial.timeZone);
  const [density, keepDensity] = useState(initial.density);
  const [nav, keepNav] = useState(initial.nav);
  const value = useMemo(
    (): PreferencesValue => ({
      timeZone,
      density,
      nav,
      namespaces: initial.namespaces,
      formats: createFormats(locale, timeZone),
      setLocale(next) {
        rememberPreference(localeCookie, next);
        router.refresh();
      },
      setZone(next) {
        const zone = next === 'utc' ? 'UTC' : localTimeZone();
        keepZone(zone);
        rememberPreference(preferenceCookies.timeZone, zone);
      },
      setDensity(next) {
        keepDensity(next);
        document.documentElement.dataset.density = next;
        rememberPreference(preferenceCookies.density, next);
      },
      setNav(next) {
        keepNav(next);
        rememberPreference(preferenceCookies.nav, next);
      },
    }),
    [density, initial.namespaces, locale, nav, router, timeZone],
  );
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

/** What this person chose, and how to change it. */
export function usePreferences(): PreferencesValue {
  const value = useContext(PreferencesContext);
  if (!value) throw new Error('usePreferences needs a PreferencesProvider');
  return value;
}

/** Numbers, durations and times as this person reads them. */
export function useFormats(): Formats {
  return usePreferences().formats;
}

'use client';

import { Monitor, Moon, Sun, SunMoon } from 'lucide-react';
import { useLocale } from 'next-intl';
import { useTheme } from 'next-themes';
import { usePreferences } from '@/lib/i18n';
import { localTimeZone } from '@/lib/i18n/time-zone';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Icon } from '../ui/icon';
import { Menu, MenuChoice, MenuLine } from '../ui/menu';

export const themes = ['light', 'dark', 'system'] as const;

export const languageNames = { en: 'English', 'zh-CN': '简体中文' } as const;

function ThemeChoice() {
  const t = useTranslations('shell.settings');
  const { theme, setTheme } = useTheme();
  return (
    <MenuChoice
      label={t('theme')}
      value={themes.find((name) => name === theme) ?? 'system'}
      onChange={setTheme}
      options={[
        { value: 'light', label: t('light'), icon: Sun },
        { value: 'dark', label: t('dark'), icon: Moon },
        { value: 'system', label: t('system'), icon: Monitor },
      ]}
    />
  );
}

function DensityChoice() {
  const t = useTranslations('shell.settings');
  const { density, setDensity } = usePreferences();
  return (
    <MenuChoice
      label={t('density')}
      value={density}
      onChange={setDensity}
      options={[
        { value: 'compact', label: t('compact') },
        { value: 'comfortable', label: t('comfortable') },
      ]}
    />
  );
}

function ZoneChoice() {
  const t = useTranslations('shell.settings');
  const { timeZone, setZone } = usePreferences();
  return (
    <MenuChoice
      label={t('zone')}
      value={timeZone === 'UTC' ? 'utc' : 'local'}
      onChange={setZone}
      options={[
        { value: 'utc', label: t('utc') },
        { value: 'local', label: t('local', { zone: localTimeZone() }) },
      ]}
    />
  );
}

function LanguageChoice() {
  const t = useTranslations('shell.settings');
  const locale = useLocale();
  const { setLocale } = usePreferences();
  return (
    <MenuChoice
      label={t('language')}
      value={locale}
      onChange={setLocale}
      options={[
        { value: 'en', label: languageNames.en },
        { value: 'zh-CN', label: languageNames['zh-CN'] },
      ]}
    />
  );
}

/** Zone, language and appearance in the header. */
export function SettingsMenus() {
  const t = useTranslations('shell.settings');
  const locale = useLocale();
  const { timeZone, formats } = usePreferences();
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="pick hide-m" aria-label={`${t('zone')}: ${timeZone}`}>
            {formats.zoneName(Date.now())}
          </button>
        }
      >
        <ZoneChoice />
      </Menu>
      <Menu
        trigger={
          <button type="button" className="pick hide-m" aria-label={`${t('language')}: ${languageNames[locale]}`}>
            {locale === 'en' ? 'EN' : '中文'}
          </button>
        }
      >
        <LanguageChoice />
      </Menu>
      <Menu
        trigger={
          <button type="button" className="btn quiet ico hide-m" aria-label={t('label')}>
            <Icon icon={SunMoon} />
          </button>
        }
      >
        <ThemeChoice />
        <MenuLine />
        <DensityChoice />
      </Menu>
    </>
  );
}

/** All of them behind one button, for narrow screens. */
export function SettingsMenu() {
  const t = useTranslations('shell.settings');
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="btn">
          <Icon icon={SunMoon} />
          {t('label')}
        </button>
      }
    >
      <ThemeChoice />
      <MenuLine />
      <DensityChoice />
      <MenuLine />
      <ZoneChoice />
      <MenuLine />
      <LanguageChoice />
    </Menu>
  );
}

import type { AppLocale } from './locales';

declare module 'next-intl' {
  interface AppConfig {
    Locale: AppLocale;
  }
}

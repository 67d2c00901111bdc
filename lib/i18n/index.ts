export { createFormats, type Formats } from './formats';
export { type AppLocale, locales } from './locales';
export { type AppMessages, messagesOf } from './messages';
export type { Preferences } from './preferences';
export { PreferencesProvider, useFormats, usePreferences } from './preferences-context';
export { useTranslations } from './use-translations';

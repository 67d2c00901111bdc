import { getRequestConfig } from 'next-intl/server';
import { messagesOf } from './messages';
import { readRequestPreferences } from './request-preferences';

export default getRequestConfig(async () => {
  const { locale, timeZone } = await readRequestPreferences();
  return { locale, timeZone, messages: messagesOf(locale) };
});

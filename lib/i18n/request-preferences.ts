import { cookies, headers } from 'next/headers';
import { localeCookie, pickLocale } from './locales';
import { type Preferences, parseNamespaces, preferenceCookies } from './preferences';
import { safeTimeZone } from './time-zone';

/** Preferences of the current request, from its cookies and `Accept-Language`. */
export async function readRequestPreferences(): Promise<Preferences> {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const get = (name: string) => jar.get(name)?.value;
  const nav = get(preferenceCookies.nav);
  return {
    locale: pickLocale(get(localeCookie), head.get('accept-language')),
    timeZone: safeTimeZone(get(preferenceCookies.timeZone)),
    density: get(preferenceCookies.density) === 'comfortable' ? 'comfortable' : 'compact',
    nav: nav === 'wide' || nav === 'mini' ? nav : 'auto',
    namespaces: parseNamespaces(get(preferenceCookies.namespaces)),
  };
}

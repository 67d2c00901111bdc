import type { AppLocale } from './locales';

/**
 * What a person chose for this browser. Kept in cookies, so that the server's first HTML and the browser's
 * first render agree.
 */
export type Preferences = {
  locale: AppLocale;
  /** IANA name; `UTC` unless the person asked for local times. */
  timeZone: string;
  density: 'compact' | 'comfortable';
  /** `auto`: narrow on pages that need three panes. */
  nav: 'auto' | 'wide' | 'mini';
  /** Namespaces last looked at; empty means all that the person may see. */
  namespaces: readonly string[];
};

export const preferenceCookies = { timeZone: 'zone', density: 'density', nav: 'nav', namespaces: 'ns' } as const;

const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Namespaces of a comma-separated parameter or cookie; what cannot be a name is dropped. */
export function parseNamespaces(value: string | null | undefined): string[] {
  const names = (value ?? '').split(',').filter((name) => namespaceName.test(name));
  return [...new Set(names)].sort();
}

/** Remembers a choice in this browser for a year. */
export function rememberPreference(cookie: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing outside secure contexts, and the console is often reached over plain http.
  document.cookie = `${cookie}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax`;
}

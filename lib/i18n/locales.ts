/** Languages the console speaks. The first is what everything falls back to. */
export const locales = ['en', 'zh-CN'] as const;
export type AppLocale = (typeof locales)[number];

/** Name of the cookie that holds a person's own choice. */
export const localeCookie = 'locale';

function known(tag: string): AppLocale | undefined {
  const language = tag.trim().toLowerCase().split(/[-_]/)[0];
  if (language === 'zh') return 'zh-CN';
  return language === 'en' ? 'en' : undefined;
}

/**
 * The language of a request: the person's own choice, else the best match of `Accept-Language`, else English.
 * Any Chinese is answered in Simplified Chinese, any other English in English.
 */
export function pickLocale(chosen: string | undefined, acceptLanguage: string | null): AppLocale {
  const own = chosen === undefined ? undefined : known(chosen);
  if (own) return own;
  const wishes = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.split(';');
      const weight = params.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find((q) => q !== undefined);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter((wish) => wish.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const wish of wishes) {
    const match = known(wish.tag);
    if (match) return match;
  }
  return 'en';
}

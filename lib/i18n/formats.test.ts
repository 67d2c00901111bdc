import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFormats } from './formats';
import { pickLocale } from './locales';
import { withFallback } from './messages';
import { parseNamespaces } from './preferences';
import { safeTimeZone } from './time-zone';

const at = Date.UTC(2026, 10, 30, 14, 2, 11);
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

type Tree = { [key: string]: string | Tree };

const leaves = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : leaves(value, `${path}${key}.`),
  );

/** Values and tags that a message needs: `{total, number}`, `<b>`; not the branches of a plural. */
const valuesOf = (message: string) =>
  [...message.matchAll(/(?<!(?:=\d+|\b(?:zero|one|two|few|many|other))\s*)\{(\w+)\s*[,}]|<(\w+)>/g)].map(
    ([, value, tag]) => value ?? `<${tag}>`,
  );

describe('createFormats', () => {
  it.each([
    ['UTC', '2026-11-30 14:02:11 UTC'],
    ['Asia/Shanghai', '2026-11-30 22:02:11 GMT+8'],
    ['America/St_Johns', '2026-11-30 10:32:11 GMT-3:30'],
    ['Pacific/Apia', '2026-12-01 03:02:11 GMT+13'],
    ['Etc/Unknown', '2026-11-30 14:02:11 UTC'],
  ])('writes a moment in %s the same way in every language, and names the zone', (zone, written) => {
    for (const locale of ['en', 'zh-CN'] as const) expect(createFormats(locale, zone).dateTime(at)).toBe(written);
  });

  it('gives the exact time in UTC and, where that differs, in the zone in use', () => {
    expect(createFormats('en', 'UTC').exact(at)).toBe('2026-11-30 14:02:11 UTC');
    expect(createFormats('en', 'Asia/Shanghai').exact(at)).toBe('2026-11-30 14:02:11 UTC · 2026-11-30 22:02:11 GMT+8');
  });

  it('keeps the items of a list apart in every language', () => {
    const items = ['a', 'b', 'c'];
    expect(createFormats('en', 'UTC').list(items)).toBe('a, b, c');
    expect(createFormats('zh-CN', 'UTC').list(items)).toBe('a、b、c');
  });

  it('does not throw on what is no moment', () => {
    const f = createFormats('en', 'UTC');
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) {
      expect([f.dateTime(odd), f.time(odd), f.exact(odd), f.minutes(odd)]).toEqual(['–', '–', '–', '–']);
    }
  });

  it('writes durations to the second while that matters, and coarsely where nobody watches', () => {
    const f = createFormats('zh-CN', 'UTC');
    expect([320, 9_040, 41_000, 848_000, 5_520_000].map((ms) => plain(f.duration(ms)))).toEqual([
      '320 ms',
      '9.0 s',
      '41 s',
      '14m 08s',
      '1h 32m',
    ]);
    expect([0, -500].map((ms) => plain(f.duration(ms, { atLeast: true })))).toEqual(['<1 s', '<1 s']);
    expect(plain(f.duration(48_000, { atLeast: true }))).toBe('≥ 48 s');
    expect([240_000, 4_320_000, 41 * 86_400_000].map((ms) => plain(f.coarse(ms)))).toEqual(['4 m', '1h 12m', '41 d']);
  });
});

describe('pickLocale', () => {
  it.each([
    [undefined, 'zh-TW,zh;q=0.9,en;q=0.8', 'zh-CN'],
    [undefined, 'en-GB,en;q=0.9', 'en'],
    [undefined, 'de-DE,zh;q=0.4,en;q=0.7', 'en'],
    [undefined, 'fr', 'en'],
    [undefined, null, 'en'],
    ['zh-CN', 'en', 'zh-CN'],
    ['tlh', 'zh', 'zh-CN'],
  ])('answers cookie %j and header %j with %s', (cookie, header, locale) => {
    expect(pickLocale(cookie, header)).toBe(locale);
  });
});

describe('messages', () => {
  it('fall back to English, key by key', () => {
    const merged = withFallback({ a: { b: 'one', c: 'two' }, d: 'three' }, { a: { b: '一' } });
    expect(merged).toEqual({ a: { b: '一', c: 'two' }, d: 'three' });
  });

  const read = (locale: string, file: string): Tree =>
    JSON.parse(readFileSync(new URL(`messages/${locale}/${file}`, import.meta.url), 'utf8'));
  const files = readdirSync(new URL('messages/en', import.meta.url));

  it.each(files)('%s is complete in Chinese and names no value that English does not', (file) => {
    const english = new Map(leaves(read('en', file)));
    // English texts of the embedded cluster's scenarios come with its list; a test of theirs asks for each in Chinese.
    const chinese = new Map(leaves(read('zh-CN', file)).filter(([key]) => !key.startsWith('items.')));
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of chinese) {
      const known = valuesOf(english.get(key) ?? '');
      expect(
        valuesOf(text).filter((name) => !known.includes(name)),
        `${file}: ${key}`,
      ).toEqual([]);
    }
  });
});

describe('what comes from outside', () => {
  it('is dropped when it cannot be a namespace', () => {
    expect(parseNamespaces('b,a,,B,-x,../etc,a')).toEqual(['a', 'b']);
    expect(parseNamespaces(null)).toEqual([]);
  });

  it('is UTC when it cannot be a zone', () => {
    expect([safeTimeZone('Etc/Unknown'), safeTimeZone(undefined), safeTimeZone('Asia/Shanghai')]).toEqual([
      'UTC',
      'UTC',
      'Asia/Shanghai',
    ]);
  });
});

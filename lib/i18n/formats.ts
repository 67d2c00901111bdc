import { durationText, formatDuration } from '@/lib/domain/time';
import type { AppLocale } from './locales';
import { safeTimeZone } from './time-zone';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A number never parts from its unit at the end of a line. */
const glued = (text: string) => text.replaceAll(' ', '\u00a0');

/**
 * How long something lasts, to the second while that matters (`14m 08s`); units as in Kubernetes tools, in every
 * language. Kubernetes' own times are to the second: what has just begun is `<1 s`. `atLeast`: `≥ 48 s`.
 */
function duration(ms: number, { atLeast = false } = {}): string {
  if (ms < 1) return glued('<1 s');
  return glued(`${atLeast ? '≥ ' : ''}${durationText(formatDuration(ms))}`);
}

/** A duration nobody watches tick: `48 s`, `4 m`, `1h 12m`, `3d 04h`, `41 d`. */
function coarse(ms: number): string {
  if (ms >= minute && ms < hour) return glued(`${Math.floor(ms / minute)} m`);
  if (ms >= 14 * day) return glued(`${Math.floor(ms / day)} d`);
  return glued(durationText(formatDuration(ms, { whole: true })));
}

/** `UTC`, `GMT+8`, `GMT-3:30`. Worked out rather than asked for: runtimes write the same zone differently. */
function offsetName(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const rest = size % 60;
  return `GMT${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

export type Formats = ReturnType<typeof createFormats>;

/**
 * Numbers and absolute times of a language and a zone. Times are epoch milliseconds. An absolute time always
 * names its zone, and is written the same way by every runtime, so that server and browser never differ.
 */
export function createFormats(locale: AppLocale, timeZone: string) {
  const zone = safeTimeZone(timeZone);
  const integers = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const decimals = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  // Of units, Chinese writes one after another with nothing between.
  const lists = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' });
  const fieldsOf = (name: string) =>
    new Intl.DateTimeFormat('en-CA', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  const own = fieldsOf(zone);
  const utc = fieldsOf('UTC');

  function parts(format: Intl.DateTimeFormat, at: number) {
    const found = new Map(format.formatToParts(at).map((part) => [part.type, part.value]));
    const get = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? '';
    const wall = Date.UTC(
      Number(get('year')),
      Number(get('month')) - 1,
      Number(get('day')),
      Number(get('hour')),
      Number(get('minute')),
      Number(get('second')),
    );
    return {
      date: `${get('year')}-${get('month')}-${get('day')}`,
      clock: `${get('hour')}:${get('minute')}:${get('second')}`,
      minutes: `${get('hour')}:${get('minute')}`,
      zone: offsetName(Math.round((wall - Math.floor(at / 1000) * 1000) / minute)),
    };
  }
  const valid = (at: number) => Number.isFinite(at) && Math.abs(at) <= 8.64e15;
  const write = (format: Intl.DateTimeFormat, at: number) => {
    const p = parts(format, at);
    return `${p.date} ${p.clock} ${p.zone}`;
  };

  return {
    locale,
    /** IANA name of the zone in use. */
    timeZone: zone,
    number: (n: number) => integers.format(n),
    /** One decimal: rates. */
    decimal: (n: number) => decimals.format(n),
    /** A share of one, as a percentage. */
    percent: (share: number) => percents.format(share),
    list: (items: readonly string[]) => lists.format(items),
    duration,
    coarse,
    /** `14:02:11 UTC` */
    time: (at: number) => {
      if (!valid(at)) return '–';
      const p = parts(own, at);
      return `${p.clock} ${p.zone}`;
    },
    /** `14:02`: only beside something that names the zone, such as an axis. */
    minutes: (at: number) => (valid(at) ? parts(own, at).minutes : '–'),
    /** `2026-11-30 14:02:11 UTC` */
    dateTime: (at: number) => (valid(at) ? write(own, at) : '–'),
    /** The same instant in UTC and, when that differs, in the zone in use. */
    exact: (at: number, local: string = zone) => {
      if (!valid(at)) return '–';
      const inUtc = write(utc, at);
      const there = write(fieldsOf(safeTimeZone(local)), at);
      return inUtc === there ? inUtc : `${inUtc} · ${there}`;
    },
    /** Name of the zone at an instant: `UTC`, `GMT+8`. */
    zoneName: (at: number) => (valid(at) ? parts(own, at).zone : zone),
  };
}

'use client';

import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';

function isoOf(at: number): string | undefined {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined;
}

/** A moment on the cluster's or the server's clock, exactly, with its zone. Epoch milliseconds. */
export function Exact({ at }: { at: number }) {
  const f = useFormats();
  return (
    <time dateTime={isoOf(at)} title={f.exact(at)}>
      {f.dateTime(at)}
    </time>
  );
}

/** The time of day of a moment, for lists of today's events. */
export function TimeOfDay({ at }: { at: number }) {
  const f = useFormats();
  return (
    <time dateTime={isoOf(at)} title={f.exact(at)}>
      {f.time(at)}
    </time>
  );
}

/** How long ago, by the server's clock; exact time on hover. `bare`: `41 d`, without "ago", under a head that says it. */
export function Ago({ at, bare }: { at: number; bare?: boolean }) {
  const f = useFormats();
  const t = useTranslations('common.time');
  const passed = f.coarse(useNow() - at);
  return (
    <time dateTime={isoOf(at)} title={f.exact(at)}>
      {bare ? passed : t('ago', { duration: passed })}
    </time>
  );
}

/** How long until, by the server's clock. The moment may pass: then it is due, not negative. */
export function Countdown({ at }: { at: number }) {
  const f = useFormats();
  const t = useTranslations('common.time');
  const left = at - useNow();
  return (
    <time dateTime={isoOf(at)} title={f.exact(at)}>
      {left > 0 ? t('in', { duration: f.coarse(left) }) : t('due')}
    </time>
  );
}

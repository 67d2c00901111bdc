import type { Formats } from '@/lib/i18n';

/** `02:52:58`: a time of day in a list whose head names the zone. */
export function clockOf(f: Formats, at: number): string {
  return f.time(at).split(' ')[0] ?? '–';
}

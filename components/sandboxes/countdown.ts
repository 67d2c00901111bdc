import { type DurationPart, durationText, formatDuration } from '@/lib/domain/time';

/** Time left in a column: minutes alone while there are some (`4m`), the two largest units from an hour on. */
export function timeLeft(ms: number): string {
  const [first, second]: DurationPart[] = formatDuration(ms, { whole: true });
  const shown =
    first?.unit === 'm' ? `${first.number}m` : durationText([first, second].filter((part) => part !== undefined));
  return shown.replaceAll(' ', '\u00a0');
}

/** The zone if this runtime knows it, else UTC: some browsers report names nobody knows, such as `Etc/Unknown`. */
export function safeTimeZone(name: string | undefined): string {
  if (!name) return 'UTC';
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    return 'UTC';
  }
}

/** The zone of this browser (or process), UTC when it cannot be told. */
export function localTimeZone(): string {
  return safeTimeZone(new Intl.DateTimeFormat('en').resolvedOptions().timeZone);
}

/** A time as typed into the browser's own field (`2026-11-30T14:02`), in UTC or in the zone of this browser; undefined when it is none. */
export function typedTime(typed: string, zone: string): number | undefined {
  const at = Date.parse(zone === 'UTC' ? `${typed}Z` : typed);
  return Number.isNaN(at) ? undefined : at;
}

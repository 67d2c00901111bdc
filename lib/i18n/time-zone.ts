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

export type RecentPlace = { href: string; label: string };

const key = 'palette:recent';
const keep = 6;

/** Places last opened from the palette, newest first. */
export function readRecent(): RecentPlace[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    if (!Array.isArray(value)) return [];
    return value.filter(
      (place): place is RecentPlace =>
        typeof place?.label === 'string' && typeof place?.href === 'string' && /^\/(?!\/)/.test(place.href),
    );
  } catch {
    return [];
  }
}

export function rememberRecent(place: RecentPlace): void {
  const places = [place, ...readRecent().filter(({ href }) => href !== place.href)].slice(0, keep);
  try {
    localStorage.setItem(key, JSON.stringify(places));
  } catch {
    // A browser without storage has no recent places.
  }
}

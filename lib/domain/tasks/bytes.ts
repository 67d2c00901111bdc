const units = ['B', 'kB', 'MB', 'GB'];

/** `512 B`, `2.1 kB`, `5.2 MB`: of 1,000 each, as file managers count. */
export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${unit > 0 && size < 99.95 ? size.toFixed(1) : Math.round(size)}\u00a0${units[unit]}`;
}

import 'server-only';

/**
 * Whether a write comes from the console's own pages. Browsers say so themselves in Sec-Fetch-Site, also behind a proxy
 * that renames the host; where they do not (plain HTTP), the Origin must name the host that was asked for, or one
 * listed in CONSOLE_ORIGINS. A request with neither header is no browser's, and carries no person's session by accident.
 */
export function fromOwnPages(
  headers: Headers,
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  const origin = headers.get('origin');
  const listed = (env.CONSOLE_ORIGINS ?? '').split(',').map((o) => o.trim().replace(/\/$/, ''));
  if (origin && listed.includes(origin)) return true;
  const site = headers.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  if (!origin) return true;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (!from) return false;
  const hosts = [headers.get('host'), ...(headers.get('x-forwarded-host') ?? '').split(',')].map((h) => h?.trim());
  return hosts.some((host) => host === from.host);
}

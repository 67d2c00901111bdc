import 'server-only';
import { type Environment, readEnvironment } from '../env';

/**
 * Whether a write comes from the console's own pages. Browsers say so themselves in Sec-Fetch-Site, also behind a proxy
 * that renames the host; where they do not (plain HTTP), the Origin must name the host that was asked for, or one
 * listed in CONSOLE_ORIGINS. A request with neither header is no browser's, and carries no person's session by accident.
 */
export function fromOwnPages(headers: Headers, env: Environment = readEnvironment()): boolean {
  const origin = headers.get('origin');
  if (origin && env.CONSOLE_ORIGINS.includes(origin)) return true;
  const site = headers.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  if (!origin) return true;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (!from) return false;
  const hosts = [headers.get('host'), ...(headers.get('x-forwarded-host') ?? '').split(',')].map((h) => h?.trim());
  return hosts.some((host) => host === from.host);
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * Whether a request asks for a host that is this console. One that listens on this machine only (HOSTNAME, as Next
 * reads it) has no names but loopback's and the listed ones: a page of another site whose name was pointed at 127.0.0.1
 * (DNS rebinding) is of the same origin to its browser, and would read and write as the person in front of it.
 */
export function asksOwnHost(headers: Headers, env: Environment = readEnvironment()): boolean {
  const host = headers.get('host');
  if (!host || !loopback.has(env.HOSTNAME ?? '')) return true;
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return loopback.has(name) || env.CONSOLE_ORIGINS.some((origin) => new URL(origin).host === host);
}

import 'server-only';
import { readEnvironment } from '../env';

/** Where the E2B-compatible API is, and the key that it takes. Never sent, logged or stored. */
export type E2bAccess = { apiUrl: string; sandboxUrl: string; apiKey: string };

/** What tasks need of the environment, or the names of the variables that are missing. */
export function e2bAccess(env = readEnvironment()): { access: E2bAccess } | { missing: string[] } {
  const { E2B_API_URL: apiUrl, E2B_SANDBOX_URL: sandboxUrl, E2B_API_KEY: apiKey } = env;
  if (apiUrl && sandboxUrl && apiKey) return { access: { apiUrl, sandboxUrl, apiKey } };
  const missing = Object.entries({ E2B_API_URL: apiUrl, E2B_SANDBOX_URL: sandboxUrl, E2B_API_KEY: apiKey });
  return { missing: missing.filter(([, value]) => value === undefined).map(([name]) => name) };
}

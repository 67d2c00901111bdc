import 'server-only';
import { type Environment, readEnvironment } from '../env';

/**
 * Who is asking. An argument of every service, from the first day.
 * `impersonate` false: requests go out with the console's own cluster identity, and the API server records that one.
 */
export type Principal = {
  subject: string;
  groups: readonly string[];
  impersonate: boolean;
};

/**
 * The one person there is until sign-in exists. `CONSOLE_USER` names it in the console's log and receipts;
 * the API server sees the identity of the kubeconfig (or service account), whatever the name.
 */
export function builtInPrincipal(env: Pick<Environment, 'CONSOLE_USER'> = readEnvironment()): Principal {
  return { subject: env.CONSOLE_USER, groups: [], impersonate: false };
}

/** The person behind a request. There is no sign-in yet, so nothing a request carries can change it. */
export function principalOf(_request: Request): Principal {
  return builtInPrincipal();
}

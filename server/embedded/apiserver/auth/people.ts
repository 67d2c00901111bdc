import type { Principal } from '../core/principal';

/** Members may do everything; their requests are not looked up in roles. */
export const MASTERS = 'system:masters';
export const AUTHENTICATED = 'system:authenticated';
export const UNAUTHENTICATED = 'system:unauthenticated';

/** The namespace that the built-in `tenant` works in; the practice scenarios have it. */
export const TENANT_NAMESPACE = 'agents-batch';

/** A built-in person. */
export interface Person {
  name: string;
  groups: readonly string[];
  /** A fixed word, no secret: this is a practice cluster, and it listens on the loopback address alone. */
  token: string;
}

/** Who may use the cluster from the start. What the others than `admin` may do is in built-in-roles.ts. */
export const PEOPLE: readonly Person[] = [
  { name: 'admin', groups: [MASTERS], token: 'practice-admin' },
  { name: 'operator', groups: ['operators'], token: 'practice-operator' },
  { name: 'viewer', groups: ['viewers'], token: 'practice-viewer' },
  { name: 'scaler', groups: ['scalers'], token: 'practice-scaler' },
  { name: 'tenant', groups: ['tenants'], token: 'practice-tenant' },
];

/** The header that says who a request comes from: one of {@link PEOPLE}. */
export function bearer(name: string): { Authorization: string } {
  return { Authorization: `Bearer ${PEOPLE.find((person) => person.name === name)?.token ?? ''}` };
}

export const ADMIN: Principal = { user: 'admin', uid: 'admin', groups: [MASTERS, AUTHENTICATED] };
export const ANONYMOUS: Principal = { user: 'system:anonymous', groups: [UNAUTHENTICATED] };

const SERVICE_ACCOUNT = 'system:serviceaccount:';

export const serviceAccountUser = (namespace: string, name: string) => `${SERVICE_ACCOUNT}${namespace}:${name}`;

export const serviceAccountGroups = (namespace: string) => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/** Namespace and name in the user name of a service account. */
export function serviceAccountIn(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(SERVICE_ACCOUNT)) return undefined;
  const [namespace = '', name = ''] = user.slice(SERVICE_ACCOUNT.length).split(':');
  return { namespace, name };
}

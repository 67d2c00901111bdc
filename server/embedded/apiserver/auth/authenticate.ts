import type { IncomingMessage } from 'node:http';
import type { Principal } from '../core/principal';
import { badRequest } from '../core/status';
import type { Storage } from '../core/storage';
import { forbiddenRequest, type ResourceAttributes } from './attributes';
import { ANONYMOUS, AUTHENTICATED, serviceAccountGroups, serviceAccountIn, UNAUTHENTICATED } from './people';
import { authorize } from './rbac';
import { type Tokens, unauthorized } from './tokens';

type Request = Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** Who a bearer token stands for, and `anonymous` without one. A token that is nobody's is refused with 401. */
export function authenticate({ headers }: Request, tokens: Tokens, anonymous: Principal): Principal {
  const token = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim();
  if (token === undefined) return anonymous;
  const principal = tokens.read(token);
  if (principal === undefined) throw unauthorized();
  return principal;
}

const EXTRA = 'impersonate-extra-';

/** The key that the name of a header carries, escaped or not. */
function keyOf(header: string): string {
  const key = header.slice(EXTRA.length);
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The person that a request impersonates, after asking whether the one who sends it may. */
export function impersonate(request: Request, storage: Storage, principal: Principal): Principal {
  const { headersDistinct: headers } = request;
  const user = headers['impersonate-user']?.[0] ?? '';
  const groups = headers['impersonate-group'] ?? [];
  const uid = headers['impersonate-uid']?.[0];
  const extra = Object.entries(headers)
    .filter(([name]) => name.startsWith(EXTRA))
    .map(([name, values = []]): [string, string[]] => [keyOf(name), values]);
  if (user === '') {
    const stray = [...groups.map((group) => `Group  ${group}`), ...(uid === undefined ? [] : [`UID  ${uid}`])];
    if (stray.length === 0 && extra.length === 0) return principal;
    throw badRequest(`requested [${stray.map((each) => `{${each}    }`).join(' ')}] without impersonating a user`);
  }

  const check = (resource: string, name: string, more: Partial<ResourceAttributes> = {}) => {
    const attributes = { verb: 'impersonate', group: '', resource, subresource: '', namespace: '', name, ...more };
    const { allowed, reason } = authorize(storage, principal, attributes);
    if (!allowed) throw forbiddenRequest(principal, attributes, reason);
  };
  const account = serviceAccountIn(user);
  if (account === undefined) check('users', user);
  else check('serviceaccounts', account.name, { namespace: account.namespace });
  for (const group of groups) check('groups', group);
  const group = 'authentication.k8s.io';
  if (uid !== undefined) check('uids', uid, { group });
  for (const [key, values] of extra) {
    for (const value of values) check('userextras', value, { group, subresource: key });
  }

  const own = groups.length === 0 && account !== undefined ? serviceAccountGroups(account.namespace) : groups;
  const standing = user === ANONYMOUS.user ? UNAUTHENTICATED : AUTHENTICATED;
  return {
    user,
    ...(uid === undefined ? {} : { uid }),
    groups: [...own.filter((each) => each !== standing), standing],
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

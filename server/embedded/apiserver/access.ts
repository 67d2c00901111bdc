import type { IncomingMessage } from 'node:http';
import { type Fields, fieldsOf, textOf } from './objects';

/** Who sends a request. */
export interface Principal {
  user: string;
  groups: readonly string[];
}

const ADMIN: Principal = { user: 'embedded-admin', groups: ['system:masters', 'system:authenticated'] };

/** The one built-in principal, whatever the token; or the person it impersonates. */
export function principalOf(request: IncomingMessage): Principal {
  const user = request.headers['impersonate-user'];
  if (typeof user !== 'string' || user === '') return ADMIN;
  const groups = request.headersDistinct['impersonate-group'] ?? [];
  return { user, groups: [...groups, 'system:authenticated'] };
}

const withoutEmpty = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** Answers a review of the caller's own rights. Nobody is limited yet, so everything is allowed. */
export function review(plural: string, body: unknown, principal: Principal): object | undefined {
  const spec = fieldsOf(body, 'spec');
  switch (plural) {
    case 'selfsubjectaccessreviews':
      return {
        kind: 'SelfSubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: {},
        spec: Object.fromEntries(
          ['resourceAttributes', 'nonResourceAttributes']
            .filter((name) => spec[name] !== undefined)
            .map((name) => [name, withoutEmpty(fieldsOf(spec, name))]),
        ),
        status: { allowed: true, reason: `the embedded cluster allows ${textOf(principal, 'user')} everything` },
      };
    case 'selfsubjectrulesreviews':
      return {
        kind: 'SelfSubjectRulesReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: {},
        spec: {},
        status: {
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          incomplete: false,
        },
      };
    case 'selfsubjectreviews':
      return {
        kind: 'SelfSubjectReview',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: {},
        status: { userInfo: { username: principal.user, groups: principal.groups } },
      };
    default:
      return undefined;
  }
}

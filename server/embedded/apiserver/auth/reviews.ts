import { invalidValue } from '../core/causes';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../core/objects';
import type { Principal } from '../core/principal';
import { badRequest, invalid, type StatusError } from '../core/status';
import { type Storage, timestamp } from '../core/storage';
import type { Attributes } from './attributes';
import { authorize, rulesFor } from './rbac';
import { type Tokens, userInfo } from './tokens';

const AUTHENTICATION = 'authentication.k8s.io';
const AUTHORIZATION = 'authorization.k8s.io';

/** A resource that is answered by the server itself and holds no objects. */
export interface ReviewResource {
  group: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

const review = (group: string, kind: string, namespaced = false): ReviewResource => ({
  group,
  plural: `${kind.toLowerCase()}s`,
  kind,
  namespaced,
});

export const REVIEWS: readonly ReviewResource[] = [
  review(AUTHENTICATION, 'SelfSubjectReview'),
  review(AUTHENTICATION, 'TokenReview'),
  review(AUTHORIZATION, 'LocalSubjectAccessReview', true),
  review(AUTHORIZATION, 'SelfSubjectAccessReview'),
  review(AUTHORIZATION, 'SelfSubjectRulesReview'),
  review(AUTHORIZATION, 'SubjectAccessReview'),
];

const withoutEmpty = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** The attributes that a review asks about. */
function askedFor(spec: Fields): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (isFields(resource) === isFields(path)) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    throw unnamed(invalidValue('spec.resourceAttributes', null, why));
  }
  if (isFields(path)) return { verb: textOf(path, 'verb'), path: textOf(path, 'path') };
  const text = (name: string) => textOf(resource, name);
  return {
    verb: text('verb'),
    group: text('group'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
  };
}

/** Reviews are refused without a kind and a name. */
const unnamed = (cause: Parameters<typeof invalid>[3][number]): StatusError => {
  const refusal = invalid(AUTHORIZATION, '', '', [cause]);
  if (refusal.details !== undefined) delete refusal.details.kind;
  return refusal;
};

function subjectOf(spec: Fields): Principal {
  const groups = listOf(spec, 'groups').filter((group) => typeof group === 'string');
  const user = textOf(spec, 'user');
  if (user === '' && groups.length === 0) {
    throw unnamed(invalidValue('spec.user', '', 'at least one of user or group must be specified'));
  }
  return { user, groups };
}

/** Answers a review: who the caller is, what they or others may do, whose a token is. */
export function answerReview(
  { kind, group }: ReviewResource,
  namespace: string,
  body: unknown,
  caller: Principal,
  storage: Storage,
  tokens: Tokens,
): object {
  const spec = fieldsOf(body, 'spec');
  const envelope = { kind, apiVersion: `${group}/v1`, metadata: {} };
  switch (kind) {
    case 'TokenReview':
      return tokens.review(body);
    case 'SelfSubjectReview':
      return { ...envelope, metadata: { creationTimestamp: timestamp() }, status: { userInfo: userInfo(caller) } };
    case 'SelfSubjectRulesReview': {
      if (textOf(spec, 'namespace') === '') throw badRequest('no namespace on request');
      const rules = rulesFor(storage, caller, textOf(spec, 'namespace'));
      return {
        ...envelope,
        spec: {},
        status: {
          resourceRules: rules.filter(({ resources }) => resources !== undefined),
          nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined),
          incomplete: false,
        },
      };
    }
    default: {
      const subject = kind === 'SelfSubjectAccessReview' ? caller : subjectOf(spec);
      const { allowed, reason } = authorize(storage, subject, askedFor(spec));
      const asked = ['resourceAttributes', 'nonResourceAttributes'].filter((name) => spec[name] !== undefined);
      return {
        ...envelope,
        ...(namespace === '' ? {} : { metadata: { namespace } }),
        spec: { ...spec, ...Object.fromEntries(asked.map((name) => [name, withoutEmpty(fieldsOf(spec, name))])) },
        status: { allowed, ...(reason === '' ? {} : { reason }) },
      };
    }
  }
}

import { type KubeObject, listOf, textOf } from '../core/objects';
import type { Principal } from '../core/principal';
import type { Storage } from '../core/storage';
import { type Attributes, isResource } from './attributes';
import { MASTERS, serviceAccountUser } from './people';
import { allows, type PolicyRule } from './rules';

const GROUP = 'rbac.authorization.k8s.io';

/** Whether something is allowed, and by which binding; or what went wrong while looking. */
export interface Decision {
  allowed: boolean;
  reason: string;
}

/** A binding that is about somebody, and the rules it gives. */
interface Grant {
  /** `RoleBinding "viewer/rec-90" of Role "viewer" to User "vera"`. */
  by: string;
  rules: PolicyRule[];
}

interface Grants {
  grants: Grant[];
  /** Roles that bindings name and that do not exist. */
  errors: string[];
}

/** The rules of a role; an entry that is null says nothing. */
export const rulesOf = (role: object) => listOf(role, 'rules').map((rule) => (rule ?? { verbs: [] }) as PolicyRule);

/** How a binding names somebody, or undefined when it is not about them. */
function subjectIn(binding: KubeObject, { user, groups }: Principal): string | undefined {
  for (const subject of listOf(binding, 'subjects')) {
    const kind = textOf(subject, 'kind');
    const name = textOf(subject, 'name');
    if (kind === 'User' && name === user) return `User ${JSON.stringify(name)}`;
    if (kind === 'Group' && groups.includes(name)) return `Group ${JSON.stringify(name)}`;
    if (kind !== 'ServiceAccount') continue;
    const namespace = textOf(subject, 'namespace') || (binding.metadata.namespace ?? '');
    if (serviceAccountUser(namespace, name) === user) return `ServiceAccount ${JSON.stringify(`${name}/${namespace}`)}`;
  }
  return undefined;
}

/** The rules that a binding in a namespace ('' for none) gives, or undefined when there is no such role. */
export function referencedRules(storage: Storage, binding: object, namespace: string): PolicyRule[] | undefined {
  const name = textOf(binding, 'roleRef', 'name');
  const isCluster = textOf(binding, 'roleRef', 'kind') === 'ClusterRole';
  const id = `${isCluster ? 'clusterroles' : 'roles'}.${GROUP}`;
  const role = storage.collection(id).items.get(isCluster ? name : `${namespace}/${name}`);
  return role === undefined ? undefined : rulesOf(role.object);
}

/** Every grant somebody has in a namespace, '' for the whole cluster. Read anew each time, so a change counts at once. */
function grantsOf(storage: Storage, principal: Principal, namespace: string): Grants {
  const result: Grants = { grants: [], errors: [] };
  const collect = (id: string) => {
    for (const { object } of storage.collection(`${id}.${GROUP}`).items.values()) {
      const { name, namespace: inside } = object.metadata;
      if (inside !== undefined && inside !== namespace) continue;
      const subject = subjectIn(object, principal);
      if (subject === undefined) continue;
      const role = textOf(object, 'roleRef', 'name');
      const kind = textOf(object, 'roleRef', 'kind');
      const rules = referencedRules(storage, object, inside ?? '');
      if (rules === undefined) result.errors.push(`${kind.toLowerCase()}.${GROUP} ${JSON.stringify(role)} not found`);
      const binding = JSON.stringify(inside === undefined ? name : `${name}/${inside}`);
      const by = `${object.kind} ${binding} of ${kind} ${JSON.stringify(role)} to ${subject}`;
      if (rules !== undefined) result.grants.push({ by, rules });
    }
  };
  collect('clusterrolebindings');
  if (namespace !== '') collect('rolebindings');
  return result;
}

/** Whether somebody may do something, in the words of kube-apiserver's RBAC authorizer. */
export function authorize(storage: Storage, principal: Principal, attributes: Attributes): Decision {
  // As in kube-apiserver, what this group may do does not hang on roles that somebody could delete.
  if (principal.groups.includes(MASTERS)) return { allowed: true, reason: '' };
  const namespace = isResource(attributes) ? attributes.namespace : '';
  const { grants, errors } = grantsOf(storage, principal, namespace);
  const grant = grants.find(({ rules }) => rules.some((rule) => allows(rule, attributes)));
  if (grant !== undefined) return { allowed: true, reason: `RBAC: allowed by ${grant.by}` };
  const reason = errors.length > 1 ? `[${errors.join(', ')}]` : (errors[0] ?? '');
  return { allowed: false, reason: reason === '' ? '' : `RBAC: ${reason}` };
}

/** All rules somebody has in a namespace. */
export function rulesFor(storage: Storage, principal: Principal, namespace: string): PolicyRule[] {
  return grantsOf(storage, principal, namespace).grants.flatMap(({ rules }) => rules);
}

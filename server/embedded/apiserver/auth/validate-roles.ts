import { deepEqual, fieldsOf, type KubeObject, listOf, textOf } from '../objects';
import { type Cause, invalidValue, required, StatusError, unsupportedValue } from '../status';
import type { Storage } from '../storage';
import type { Target } from '../writes';
import { isResource } from './attributes';
import type { Principal } from './people';
import { authorize, referencedRules, rulesFor, rulesOf } from './rbac';
import { covered, type PolicyRule } from './rules';

const SUBJECTS = ['ServiceAccount', 'User', 'Group'];
const GROUP = 'rbac.authorization.k8s.io';

/** Defaults of the groups that a binding names. */
export function defaultBinding(object: KubeObject): KubeObject {
  const subjects = listOf(object, 'subjects').map((subject) => {
    const fields = fieldsOf({ subject }, 'subject');
    return textOf(fields, 'kind') === 'ServiceAccount' ? fields : { apiGroup: GROUP, ...fields };
  });
  const roleRef = { apiGroup: GROUP, ...fieldsOf(object, 'roleRef') };
  return { ...object, ...(subjects.length === 0 ? {} : { subjects }), roleRef };
}

/** Refusals of roles and bindings that make no sense. */
export function validateRbac(object: KubeObject, old: KubeObject | undefined, causes: Cause[]): void {
  if (object.kind === 'Role' || object.kind === 'ClusterRole') validateRules(object, causes);
  else validateBinding(object, old, causes);
}

function validateRules(object: KubeObject, causes: Cause[]): void {
  for (const [index, rule] of rulesOf(object).entries()) {
    const at = (field: string) => `rules[${index}].${field}`;
    const { verbs = [], apiGroups = [], resources = [], nonResourceURLs = [] } = rule;
    if (verbs.length === 0) causes.push(required(at('verbs'), 'verbs must contain at least one value'));
    if (nonResourceURLs.length > 0) {
      if (object.kind === 'ClusterRole') continue;
      const why = 'namespaced rules cannot apply to non-resource URLs';
      causes.push(invalidValue(at('nonResourceURLs'), nonResourceURLs, why));
      continue;
    }
    if (apiGroups.length === 0)
      causes.push(required(at('apiGroups'), 'resource rules must supply at least one api group'));
    if (resources.length === 0)
      causes.push(required(at('resources'), 'resource rules must supply at least one resource'));
  }
}

function validateBinding(object: KubeObject, old: KubeObject | undefined, causes: Cause[]): void {
  const roleRef = fieldsOf(object, 'roleRef');
  const kinds = object.kind === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const { apiGroup: group, kind = '', name = '' } = roleRef;
  if (!kinds.includes(String(kind))) causes.push(unsupportedValue('roleRef.kind', kind, kinds));
  if (group !== GROUP) causes.push(unsupportedValue('roleRef.apiGroup', group, [GROUP]));
  if (name === '') causes.push(required('roleRef.name'));
  for (const [index, subject] of listOf(object, 'subjects').entries()) {
    const at = (field: string) => `subjects[${index}].${field}`;
    if (textOf(subject, 'name') === '') causes.push(required(at('name')));
    const kind = textOf(subject, 'kind');
    if (!SUBJECTS.includes(kind)) causes.push(unsupportedValue(at('kind'), kind, SUBJECTS));
  }
  if (old === undefined || deepEqual(roleRef, fieldsOf(old, 'roleRef'))) return;
  causes.push(invalidValue('roleRef', { APIGroup: group, Kind: kind, Name: name }, 'cannot change roleRef'));
}

const goList = (list: readonly string[]) => `[${list.map((item) => JSON.stringify(item)).join(' ')}]`;

function goRule({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  const fields = { APIGroups: apiGroups, Resources: resources, ResourceNames: resourceNames };
  const all = Object.entries({ ...fields, NonResourceURLs: nonResourceURLs, Verbs: verbs });
  const texts = all.map(([name, list]) => (list === undefined || list.length === 0 ? '' : `${name}:${goList(list)}`));
  return `{${texts.filter((text) => text !== '').join(', ')}}`;
}

/** Nobody gives away rights they do not have, unless they may `escalate` the role or `bind` to it. */
export function checkEscalation(storage: Storage, principal: Principal, target: Target, object: object): void {
  const { kind, namespace } = target;
  if (kind.group !== GROUP) return;
  const isBinding = kind.kind.endsWith('Binding');
  const name = textOf(object, 'metadata', 'name') || target.name;
  const attributes = isBinding
    ? {
        verb: 'bind',
        resource: `${textOf(object, 'roleRef', 'kind').toLowerCase()}s`,
        name: textOf(object, 'roleRef', 'name'),
      }
    : { verb: 'escalate', resource: kind.plural, name };
  const wanted = { group: GROUP, subresource: '', namespace, ...attributes };
  if (isResource(wanted) && authorize(storage, principal, wanted).allowed) return;
  const binding = {
    apiVersion: '',
    kind: kind.kind,
    ...object,
    metadata: { name, namespace },
  } as unknown as KubeObject;
  const rules = isBinding ? (referencedRules(storage, binding) ?? []) : rulesOf(object);
  const own = rulesFor(storage, principal, namespace);
  const missing = rules.filter((rule) => !covered(own, rule));
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(principal.user)} (groups=${goList(principal.groups)})`;
  const what = `is attempting to grant RBAC permissions not currently held:\n${missing.map(goRule).join('\n')}`;
  throw new StatusError(
    403,
    `${kind.plural}.${GROUP} ${JSON.stringify(name)} is forbidden: ${who} ${what}`,
    'Forbidden',
    {
      name,
      group: GROUP,
      kind: kind.plural,
    },
  );
}

import { type Cause, invalidValue, required, unsupportedValue } from '../core/causes';
import type { KindRules } from '../core/kind-definition';
import { deepEqual, fieldsOf, type KubeObject, listOf, textOf } from '../core/objects';
import { bindingProblem, roleProblem } from './decode-rbac';
import { rulesOf } from './rbac';

const SUBJECTS = ['ServiceAccount', 'User', 'Group'];
const GROUP = 'rbac.authorization.k8s.io';

/** Defaults of the groups that a binding names. */
function defaultBinding(object: KubeObject): KubeObject {
  const subjects = listOf(object, 'subjects').map((subject) => {
    const fields = fieldsOf({ subject }, 'subject');
    return textOf(fields, 'kind') === 'ServiceAccount' ? fields : { apiGroup: GROUP, ...fields };
  });
  const roleRef = { apiGroup: GROUP, ...fieldsOf(object, 'roleRef') };
  return { ...object, ...(subjects.length === 0 ? {} : { subjects }), roleRef };
}

export const ROLE_RULES: KindRules = {
  names: 'path',
  problem: roleProblem,
  normalize: (object) => (listOf(object, 'rules').length === 0 ? { ...object, rules: null } : object),
  validate: (object, _old, _part, causes) => validateRules(object, causes),
};

export const BINDING_RULES: KindRules = {
  names: 'path',
  problem: bindingProblem,
  normalize: defaultBinding,
  validate: (object, old, _part, causes) => validateBinding(object, old, causes),
};

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

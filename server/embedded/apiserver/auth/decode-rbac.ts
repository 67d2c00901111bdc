import { type Fields, isFields } from '../core/objects';

/** Fields of roles and bindings and the fields inside them, which are texts (rules: lists of texts). */
const RULE = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'];
const SUBJECT = ['kind', 'apiGroup', 'name', 'namespace'];
const ROLE_REF = ['apiGroup', 'kind', 'name'];

const isAbsent = (value: unknown) => value === undefined || value === null;

function wrong(value: unknown, field: string, type: string): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`;
}

function textProblem(value: unknown, field: string): string | undefined {
  return isAbsent(value) || typeof value === 'string' ? undefined : wrong(value, field, 'string');
}

function structProblem(value: unknown, field: string, type: string, names: string[], lists: boolean) {
  if (isAbsent(value)) return undefined;
  if (!isFields(value)) return wrong(value, field, `v1.${type}`);
  const inside = field.slice(field.indexOf('.') + 1);
  for (const name of names) {
    const at = `${type}.${inside}.${name}`;
    const child = value[name];
    if (lists && !isAbsent(child) && !Array.isArray(child)) return wrong(child, at, '[]string');
    const found = (Array.isArray(child) ? child : [child]).map((item) => textProblem(item, at)).find(Boolean);
    if (found !== undefined) return found;
  }
  return undefined;
}

function listProblem(value: unknown, field: string, type: string, names: string[], lists: boolean) {
  if (isAbsent(value)) return undefined;
  if (!Array.isArray(value)) return wrong(value, field, `[]v1.${type}`);
  return value.map((item) => structProblem(item, field, type, names, lists)).find(Boolean);
}

/** Why a body is no role, in the decoder's words; undefined when it is one. */
export function roleProblem(raw: Fields, kind: string): string | undefined {
  return listProblem(raw.rules, `${kind}.rules`, 'PolicyRule', RULE, true);
}

/** The same of a binding. */
export function bindingProblem(raw: Fields, kind: string): string | undefined {
  return (
    listProblem(raw.subjects, `${kind}.subjects`, 'Subject', SUBJECT, false) ??
    structProblem(raw.roleRef, `${kind}.roleRef`, 'RoleRef', ROLE_REF, false)
  );
}

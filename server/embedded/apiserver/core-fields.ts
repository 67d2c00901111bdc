import { POD_SPEC_FIELDS } from './admission/pod-fields';
import { jsonType } from './json-problem';
import type { KindDefinition } from './kinds';
import { type Fields, fieldsOf, isFields } from './objects';

const ALWAYS = ['apiVersion', 'kind', 'metadata'];

/** The fields of the core kinds that people write by hand; of others any field is taken. */
const FIELDS: Record<string, readonly string[]> = {
  configmaps: ['data', 'binaryData', 'immutable'],
  secrets: ['data', 'stringData', 'immutable', 'type'],
  namespaces: ['spec', 'status'],
  pods: ['spec', 'status'],
  nodes: ['spec', 'status'],
  serviceaccounts: ['secrets', 'imagePullSecrets', 'automountServiceAccountToken'],
  leases: ['spec'],
  roles: ['rules'],
  clusterroles: ['rules', 'aggregationRule'],
  rolebindings: ['subjects', 'roleRef'],
  clusterrolebindings: ['subjects', 'roleRef'],
};

/** Fields whose values are texts, by kind. */
const TEXTS: Record<string, readonly string[]> = {
  configmaps: ['data', 'binaryData'],
  secrets: ['data', 'stringData'],
};

/** Why an object of a core kind cannot be read, in the decoder's words. */
export function coreProblem({ plural, kind }: KindDefinition, object: Fields): string | undefined {
  for (const field of TEXTS[plural] ?? []) {
    for (const value of Object.values(fieldsOf(object, field))) {
      if (typeof value !== 'string') {
        return `json: cannot unmarshal ${jsonType(value)} into Go struct field ${kind}.${field} of type string`;
      }
      const strange = plural === 'secrets' && field === 'data' ? value.search(/[^A-Za-z0-9+/=]/) : -1;
      if (strange >= 0) return `illegal base64 data at input byte ${strange}`;
    }
  }
  return undefined;
}

/** The object without the fields that its kind does not have; each one's path is added to `unknown`. */
export function withoutStrangers<T extends Fields>({ plural }: KindDefinition, object: T, unknown: string[]): T {
  const known = FIELDS[plural];
  if (known === undefined) return object;
  const keep = (fields: Fields, names: ReadonlySet<string>, path: string): Fields => {
    const strangers = Object.keys(fields).filter((name) => !names.has(name));
    if (strangers.length === 0) return fields;
    unknown.push(...strangers.map((name) => path + name));
    return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
  };
  const kept = keep(object, new Set([...ALWAYS, ...known]), '');
  if (plural !== 'pods' || !isFields(kept.spec)) return kept as T;
  return { ...kept, spec: keep(kept.spec, POD_SPEC_FIELDS, 'spec.') } as unknown as T;
}

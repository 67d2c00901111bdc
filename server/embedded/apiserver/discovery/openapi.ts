import { createHash } from 'node:crypto';
import { apiVersionOf, type KindDefinition } from '../core/kind-definition';
import type { KindRegistry } from '../core/kind-registry';
import type { Fields } from '../core/objects';
import { BUILT_IN_SCHEMAS, schemaNameOf } from '../kinds/schemas';
import { groupVersions } from './discovery';

const REF = '#/components/schemas/';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** `/openapi/v3`: where the document of each group version is. The hash changes with what is served. */
export function openApiIndex(kinds: KindRegistry): object {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const { group, version } of [{ group: '', version: 'v1' }, ...groupVersions(kinds)]) {
    const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    const document = JSON.stringify(openApiDocument(kinds, group, version));
    const hash = createHash('sha512').update(document).digest('hex').toUpperCase();
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return { paths };
}

/** The OpenAPI v3 document of a group version: schemas for `explain`, patch operations for `apply`. */
export function openApiDocument(kinds: KindRegistry, group: string, version: string): object {
  const schemas: Fields = {};
  const paths: Fields = {};
  for (const kind of kinds.all()) {
    if (kind.group !== group || kind.version !== version) continue;
    const name = nameOf(kind);
    if (kind.isCustom === true) {
      schemas[name] = customSchema(kind);
      include(META, schemas);
    } else include(name, schemas);
    paths[pathOf(kind)] = operations(kind, name);
  }
  return { openapi: '3.0.0', info: { title: 'Embedded cluster', version: 'v1' }, paths, components: { schemas } };
}

/** Adds a built-in schema, and those that it refers to. */
function include(name: string, schemas: Fields): void {
  if (schemas[name] !== undefined) return;
  schemas[name] = BUILT_IN_SCHEMAS[name];
  for (const [, inner = ''] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    include(inner, schemas);
  }
}

function nameOf(kind: KindDefinition): string {
  if (kind.isCustom !== true) return schemaNameOf(kind);
  return [...kind.group.split('.').reverse(), kind.version, kind.kind].join('.');
}

function gvk({ group, version, kind }: KindDefinition): object {
  return { group, version, kind };
}

function customSchema(kind: KindDefinition): object {
  return {
    type: 'object',
    ...kind.schema,
    properties: {
      ...kind.schema.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [{ $ref: `${REF}${META}` }], default: {} },
    },
    'x-kubernetes-group-version-kind': [gvk(kind)],
  };
}

function pathOf(kind: KindDefinition): string {
  const root = kind.group === '' ? '/api/v1' : `/apis/${apiVersionOf(kind)}`;
  return `${root}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}/{name}`;
}

function operations(kind: KindDefinition, schema: string): object {
  const answer = { content: { 'application/json': { schema: { $ref: `${REF}${schema}` } } } };
  const query = (name: string) => ({ name, in: 'query', schema: { type: 'string', uniqueItems: true } });
  const body = { schema: { type: 'object' } };
  const operation = (action: string, parameters: readonly string[]) => ({
    parameters: parameters.map(query),
    responses: { 200: { description: 'OK', ...answer } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk(kind),
  });
  return {
    get: operation('get', []),
    patch: {
      ...operation('patch', ['dryRun', 'fieldManager', 'fieldValidation']),
      requestBody: {
        content: {
          'application/json-patch+json': body,
          'application/merge-patch+json': body,
          ...(kind.isCustom !== true ? { 'application/strategic-merge-patch+json': body } : {}),
        },
      },
    },
  };
}

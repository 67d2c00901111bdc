import { createHash } from 'node:crypto';
import { groupVersions } from './discovery';
import type { KindRegistry } from './kind-registry';
import { apiVersionOf, type KindDefinition } from './kinds';
import type { Fields } from './objects';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };

const META_SCHEMA = {
  type: 'object',
  properties: {
    annotations: texts,
    creationTimestamp: { ...text, format: 'date-time' },
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64' },
    deletionTimestamp: { ...text, format: 'date-time' },
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: { type: 'integer', format: 'int64' },
    labels: texts,
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: text,
          name: text,
          uid: text,
        },
        required: ['apiVersion', 'kind', 'name', 'uid'],
      },
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
    },
    resourceVersion: text,
    uid: text,
  },
};

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
  const schemas: Fields = { [META]: META_SCHEMA };
  const paths: Fields = {};
  for (const kind of kinds.all()) {
    if (kind.group !== group || kind.version !== version) continue;
    const name = schemaName(kind);
    schemas[name] = schemaOf(kind);
    paths[pathOf(kind)] = operations(kind, name);
  }
  return { openapi: '3.0.0', info: { title: 'Embedded cluster', version: 'v1' }, paths, components: { schemas } };
}

function schemaName({ group, version, kind }: KindDefinition): string {
  const domain = group === '' ? ['io', 'k8s', 'api', 'core'] : group.split('.').reverse();
  return [...domain, version, kind].join('.');
}

function gvk({ group, version, kind }: KindDefinition): object {
  return { group, version, kind };
}

function schemaOf(kind: KindDefinition): object {
  const { custom } = kind;
  return {
    type: 'object',
    ...custom?.schema,
    properties: {
      // Core kinds are published without their fields: enough for kubectl to know them.
      ...(custom === undefined ? { spec: { type: 'object' }, status: { type: 'object' } } : custom.schema.properties),
      apiVersion: text,
      kind: text,
      metadata: { allOf: [{ $ref: `#/components/schemas/${META}` }], default: {} },
    },
    'x-kubernetes-group-version-kind': [gvk(kind)],
  };
}

function pathOf(kind: KindDefinition): string {
  const root = kind.group === '' ? '/api/v1' : `/apis/${apiVersionOf(kind)}`;
  return `${root}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}/{name}`;
}

function operations(kind: KindDefinition, schema: string): object {
  const answer = { content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } };
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
          ...(kind.custom === undefined ? { 'application/strategic-merge-patch+json': body } : {}),
        },
      },
    },
  };
}

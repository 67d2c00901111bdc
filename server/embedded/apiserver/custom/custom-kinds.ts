import type { DraftObject } from '../core/decode';
import type { KindDefinition, KindRules, ScalePaths } from '../core/kind-definition';
import { type Fields, fieldsOf, isFields, type KubeObject, listOf, textOf } from '../core/objects';
import { validateSchema } from '../schema/schema-validation';
import { prune, type StructuralSchema, withDefaults } from '../schema/structural-schema';
import { AGE, NAME } from '../tables/column';
import { jsonPathFields, type PrinterColumn, printerColumn } from './printer-columns';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

const isText = (value: unknown): value is string => typeof value === 'string';

/** The kinds that a CustomResourceDefinition describes: one for each version that is served. */
export function kindsOf(definition: KubeObject): KindDefinition[] {
  const names = fieldsOf(definition, 'spec', 'names');
  const plural = textOf(names, 'plural');
  const kind = textOf(names, 'kind');
  return listOf(definition, 'spec', 'versions')
    .filter((version) => isFields(version) && version.served === true)
    .map((version) => {
      const given = fieldsOf(version, 'subresources');
      const subresources = (['status', 'scale'] as const).filter((name) => given[name] !== undefined);
      const categories = listOf(names, 'categories').filter(isText);
      const schema = fieldsOf(version, 'schema', 'openAPIV3Schema') as StructuralSchema;
      const printed = listOf(version, 'additionalPrinterColumns') as PrinterColumn[];
      return {
        group: textOf(definition, 'spec', 'group'),
        version: textOf(version, 'name'),
        kind,
        listKind: textOf(names, 'listKind') || `${kind}List`,
        plural,
        singular: textOf(names, 'singular') || kind.toLowerCase(),
        shortNames: listOf(names, 'shortNames').filter(isText),
        ...(categories.length === 0 ? {} : { categories }),
        namespaced: textOf(definition, 'spec', 'scope') === 'Namespaced',
        verbs: VERBS,
        subresources,
        ...(given.scale === undefined ? {} : { scale: scalePaths(given.scale) }),
        generation: true,
        fieldSelectors: [],
        columns: [NAME, ...(printed.length === 0 ? [{ ...AGE, type: 'date' }] : printed.map(printerColumn))],
        schema,
        isCustom: true,
        ...rulesOf(schema, subresources.includes('status')),
      };
    });
}

function scalePaths(scale: unknown): ScalePaths {
  const selector = textOf(scale, 'labelSelectorPath');
  return {
    specReplicas: jsonPathFields(textOf(scale, 'specReplicasPath')),
    statusReplicas: jsonPathFields(textOf(scale, 'statusReplicasPath')),
    ...(selector === '' ? {} : { selector: jsonPathFields(selector) }),
  };
}

function rulesOf(schema: StructuralSchema, hasStatus: boolean): KindRules {
  return {
    decode: ({ apiVersion, kind, metadata, ...fields }: DraftObject, unknown) => {
      const kept = withDefaults(prune(fields, schema, unknown), schema) as Fields;
      return { apiVersion, kind, metadata, ...kept };
    },
    prepare: (object) => {
      if (!hasStatus) return object;
      // What the schema has for a missing status is there when it is read again.
      const { default: status } = schema.properties?.status ?? {};
      const { status: _given, ...rest } = object;
      return status === undefined
        ? { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata }
        : { ...object, status };
    },
    validate: ({ apiVersion: _version, kind: _kind, metadata: _metadata, ...fields }, old, part, causes) => {
      validateSchema(fields, old, schema, causes, part === 'status' ? 'status.' : '');
    },
  };
}

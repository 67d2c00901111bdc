import { WIDGET_GROUP } from './script';

const text = { type: 'string' };
const whole = { type: 'integer' };

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 0, maximum: 100 },
    replicas: { type: 'integer', format: 'int32' },
    color: { ...text, enum: ['red', 'green', 'blue'], default: 'red' },
    note: { ...text, nullable: true, maxLength: 20 },
    code: { ...text, pattern: '^[a-z]+$', minLength: 2 },
    amount: { 'x-kubernetes-int-or-string': true },
    at: { ...text, format: 'date-time' },
    fixed: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed is immutable' }] },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    texts: { type: 'object', additionalProperties: text },
    inner: { type: 'object', properties: { depth: { ...whole, default: 3 }, name: text } },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: text, port: whole, tag: text } },
    },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    plain: { type: 'array', maxItems: 3, items: text },
    box: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: text, b: text },
    },
  },
};

const status = {
  type: 'object',
  properties: { phase: text, replicas: whole, selector: text },
};

const names = (kind: string, more: object = {}) => ({
  kind,
  listKind: `${kind}List`,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  ...more,
});

const definition = (group: string, kind: string, version: object, more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: names(kind, more),
    versions: [{ name: 'v1', served: true, storage: true, ...version }],
  },
});

/** A kind with status, scale and printer columns, and a field of every sort that a schema can say something about. */
export const WIDGET_CRD = definition(
  WIDGET_GROUP,
  'Widget',
  {
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
      { name: 'At', type: 'date', jsonPath: '.spec.at' },
      { name: 'Ports', type: 'string', jsonPath: '.spec.ports[*].name' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  },
  { shortNames: ['wd'], categories: ['all'] },
);

/** A kind without any subresource and without printer columns. */
export const GADGET_CRD = definition(WIDGET_GROUP, 'Gadget', {
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { size: whole } },
        status: { type: 'object', properties: { phase: text } },
      },
    },
  },
});

/** A kind that a script adds and removes at run time, in a group of its own. */
export const passingCrd = (group: string) =>
  definition(group, 'Visitor', {
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { n: whole } } } } },
  });

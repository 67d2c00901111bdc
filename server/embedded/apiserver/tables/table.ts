import type { KindDefinition, PrinterColumn } from '../kinds';
import { partialMetadata } from '../lists';
import { at, type KubeObject } from '../objects';
import { collectionOf } from '../shapes';
import { CORE_COLUMNS } from './core-columns';
import { ageOf } from './durations';

/** A column and how its cells are made. */
export interface Column {
  name: string;
  type: string;
  format?: string;
  description: string;
  /** 0 is always shown, 1 with `-o wide`. */
  priority?: number;
  cell(object: KubeObject, now: number): unknown;
}

const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique in its namespace.',
  cell: (object) => object.metadata.name,
};

const AGE: Column = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  cell: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
};

const columnsOf = new WeakMap<KindDefinition, readonly Column[]>();

function columns(kind: KindDefinition): readonly Column[] {
  let known = columnsOf.get(kind);
  if (known === undefined) {
    const custom = kind.custom?.columns ?? [];
    known = CORE_COLUMNS[collectionOf(kind)] ?? [NAME, ...(custom.length === 0 ? [AGE] : custom.map(printerColumn))];
    columnsOf.set(kind, known);
  }
  return known;
}

/** Fields of a simple JSONPath; a dot inside a field is escaped with a backslash. */
export function jsonPathFields(path: string): string[] {
  return path
    .replace(/^\./, '')
    .split(/(?<!\\)\./)
    .map((field) => field.replaceAll('\\.', '.'));
}

/** The value at a path; of a list's items (`name[*].field`) the first. */
function valueAt(parent: unknown, [field, ...rest]: readonly string[]): unknown {
  if (field === undefined) return parent;
  const name = field.replace(/\[\*\]$/, '');
  const value = at(parent, [name]);
  return valueAt(name === field ? value : Array.isArray(value) ? value[0] : undefined, rest);
}

function printerColumn({ name, type, jsonPath, description, priority = 0 }: PrinterColumn): Column {
  const fields = jsonPathFields(jsonPath);
  return {
    name,
    type,
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
    cell(object, now) {
      const value = valueAt(object, fields);
      if (value === undefined || value === null) return null;
      if (type === 'date') return ageOf(value, now);
      if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null;
      if (type === 'boolean' || type === 'number') return value;
      return typeof value === 'string' ? value : JSON.stringify(value);
    },
  };
}

/** A meta/v1 Table. `includeObject` is None, Metadata or Object. */
export function tableOf(
  kind: KindDefinition,
  objects: readonly KubeObject[],
  metadata: object,
  includeObject: string,
  now = Date.now(),
) {
  const shown = columns(kind);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: shown.map(({ name, type, format = '', description, priority = 0 }) => ({
      name,
      type,
      format,
      description,
      priority,
    })),
    rows: objects.map((object) => ({
      cells: shown.map((column) => column.cell(kind.storedAs?.stored(object) ?? object, now)),
      object: includeObject === 'None' ? null : includeObject === 'Object' ? object : partialMetadata(object),
    })),
  };
}

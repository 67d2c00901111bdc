import { at } from '../core/objects';
import type { Column } from '../tables/column';
import { ageOf } from '../tables/durations';

/** A column that a CustomResourceDefinition declares. */
export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  description?: string;
  priority?: number;
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

/** The column that shows what a declared one points at. */
export function printerColumn({ name, type, jsonPath, description, priority = 0 }: PrinterColumn): Column {
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

import { type Fields, isFields } from '../core/objects';
import type { FieldSet } from './field-set';
import type { ManagedFieldsEntry } from './managers';

const TEXTS = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'subresource'] as const;
const KNOWN: readonly string[] = [...TEXTS, 'fieldsV1'];

/** Which entry cannot be read, and where in it: undefined for the entry itself. */
interface Unreadable {
  value: unknown;
  field?: (typeof TEXTS)[number];
}

/** The first thing in the entries of a body that is of another type than the API has. Unknown fields are named in `unknown`. */
export function unreadable(entries: readonly unknown[], unknown: string[]): Unreadable | undefined {
  for (const [index, entry] of entries.entries()) {
    if (!isFields(entry)) return { value: entry };
    const strangers = Object.keys(entry).filter((key) => !KNOWN.includes(key));
    unknown.push(...strangers.map((key) => `metadata.managedFields[${index}].${key}`));
    const field = TEXTS.find((key) => entry[key] !== undefined && typeof entry[key] !== 'string');
    if (field !== undefined) return { value: entry[field], field };
  }
  return undefined;
}

/**
 * Who owns what before a write, if the write has a say in that: kubectl hands over what it owned before its first
 * server-side apply. One empty entry makes the server forget; entries that make no sense leave everything as it is stored.
 */
export function ownersBefore(
  given: readonly ManagedFieldsEntry[] | undefined,
  stored: readonly ManagedFieldsEntry[] = [],
): readonly ManagedFieldsEntry[] {
  if (given === undefined || given.length === 0) return stored;
  if (given.length === 1 && Object.keys(given[0] ?? {}).length === 0) return [];
  return given.every(makesSense) ? given : stored;
}

function makesSense({ operation, apiVersion, time, fieldsType, fieldsV1 }: Partial<ManagedFieldsEntry>): boolean {
  const isOperation = operation === 'Apply' || operation === 'Update';
  const isDated = time === undefined || !Number.isNaN(Date.parse(time));
  return isOperation && isDated && (apiVersion ?? '') !== '' && fieldsType === 'FieldsV1' && isFieldSet(fieldsV1 ?? {});
}

const isFieldSet = (set: FieldSet | Fields): boolean =>
  Object.entries(set).every(
    ([element, child]) => (element === '.' || /^[fkvi]:/.test(element)) && isFields(child) && isFieldSet(child),
  );

import type { IntOrPercent } from '@/lib/contracts/rows';
import { parseTime } from './time';

/**
 * Checked reads of objects of the cluster, the edge between JSON and what rows and rules take from them. Every read looks at the type it gets:
 * a field that is missing, null, or of a type nobody expects is absent, and the rest of the object still counts.
 * A schema of the same fields costs more than the whole projection does (10,000 sandboxes: about 0.15 s against
 * 0.1 s), on every event.
 */
export type Json = Readonly<Record<string, unknown>>;

const nothing: Json = {};

export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : nothing;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function integer(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

export function intOrPercent(value: unknown): IntOrPercent | undefined {
  return integer(value) ?? text(value);
}

/** True, or absent: rows do not say false. */
export function flag(value: boolean): true | undefined {
  return value ? true : undefined;
}

/** The object without its absent entries, so that a row is as small as what it says. */
export function compact<T extends object>(entries: { [K in keyof T]: T[K] | undefined }): T {
  const row: Partial<T> = {};
  for (const key in entries) {
    const value = entries[key];
    if (value !== undefined) row[key] = value;
  }
  return row as T;
}

export interface Meta {
  uid: string;
  ns: string;
  name: string;
  generation: number | undefined;
  created: number | undefined;
  deleting: number | undefined;
  labels: Json;
  annotations: Json;
}

/** Undefined for what has no name. An object from a file has no uid: its name stands in, unique in its kind. */
export function metaOf(object: unknown): Meta | undefined {
  const metadata = record(record(object).metadata);
  const name = text(metadata.name);
  if (name === undefined) return undefined;
  const ns = text(metadata.namespace) ?? '';
  return {
    uid: text(metadata.uid) ?? `${ns}/${name}`,
    ns,
    name,
    generation: integer(metadata.generation),
    created: parseTime(metadata.creationTimestamp),
    deleting: parseTime(metadata.deletionTimestamp),
    labels: record(metadata.labels),
    annotations: record(metadata.annotations),
  };
}

/** The owner that controls the object. */
export function controllerOf(object: unknown): { group: string; kind: string; name: string; uid: string } | undefined {
  for (const entry of list(record(record(object).metadata).ownerReferences)) {
    const owner = record(entry);
    if (owner.controller !== true) continue;
    const apiVersion = text(owner.apiVersion) ?? '';
    return {
      group: apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '',
      kind: text(owner.kind) ?? '',
      name: text(owner.name) ?? '',
      uid: text(owner.uid) ?? '',
    };
  }
  return undefined;
}

/** `{name, image}` of containers; those without either are left out. */
export function imagesOf(containers: unknown): { name: string; image: string }[] {
  return list(containers).flatMap((entry) => {
    const name = text(record(entry).name);
    const image = text(record(entry).image);
    return name === undefined || image === undefined ? [] : [{ name, image }];
  });
}

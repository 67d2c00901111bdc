import type { KubeObject } from '../core/objects';
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

export function column(
  name: string,
  description: string,
  cell: (object: KubeObject, now: number) => unknown,
  extra: Partial<Column> = {},
): Column {
  return { name, type: 'string', description, cell, ...extra };
}

export const WIDE = { priority: 1 };

export const NAME = column('Name', 'Name of the object, unique in its namespace.', ({ metadata }) => metadata.name, {
  format: 'name',
});

export const AGE = column('Age', 'Time since the object was created.', ({ metadata }, now) =>
  ageOf(metadata.creationTimestamp, now),
);

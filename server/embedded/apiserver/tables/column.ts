import type { KubeObject } from '../objects';
import { ageOf } from './durations';
import type { Column } from './table';

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

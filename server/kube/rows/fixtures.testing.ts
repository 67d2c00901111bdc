import 'server-only';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { projectSandbox, projectUpgrade } from '.';

export type Loose = { kind: string; metadata: { name: string } };

/** The objects of a file in fixtures/. */
export function fixture(name: string): Loose[] {
  const text = readFileSync(path.join(import.meta.dirname, 'fixtures', `${name}.yaml`), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Loose);
}

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not projected');
  return value;
}

export const sandboxesOf = (objects: Loose[]): SandboxRow[] =>
  objects.filter(({ kind }) => kind === 'Sandbox').map((object) => found(projectSandbox(object, undefined)));
export const upgradesOf = (objects: Loose[]): UpgradeRow[] =>
  objects.filter(({ kind }) => kind === 'SandboxUpdateOps').map((object) => found(projectUpgrade(object)));

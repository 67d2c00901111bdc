import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { parseTime } from '@/lib/domain/time';
import { InputError } from './input-error';
import { keyOf, kinds, noObjects, type Plural, plurals, readObject, type World } from './world';

/** The text of a file, or of what comes in for `-`. @throws InputError when it cannot be read. */
export function readText(name: string): string {
  try {
    return readFileSync(name === '-' ? 0 : name, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : 'cannot be read';
    throw new InputError(`${name} ${why}.`, 'Give files, or - for what comes in through a pipe.');
  }
}

/** Documents of a YAML or JSON text. @throws InputError with the place of the first mistake. */
export function parseDocuments(text: string, name: string): unknown[] {
  if (/^\s*[{[]/.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch {
      // Flow style begins like this too, and several JSON documents with --- between them.
    }
  }
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const list = Array.isArray(documents) ? documents : [];
  const wrong = list.findIndex(({ errors }) => errors.length > 0);
  const mistake = list[wrong]?.errors[0];
  if (mistake) {
    const { line, col } = mistake.linePos?.[0] ?? { line: 1, col: 1 };
    const which = list.length > 1 ? ` document ${wrong + 1},` : '';
    const [what = ''] = mistake.message.split(/ at line|\n/);
    throw new InputError(`${name}${which} line ${line} column ${col}: ${what}.`, 'The file may be damaged or cut.');
  }
  try {
    return list.map((document) => document.toJS({ maxAliasCount: 1000 }) as unknown);
  } catch {
    // Aliases of aliases that would fill the memory, or that name nothing.
    throw new InputError(`${name} has aliases that cannot be followed.`, 'kubectl writes none.');
  }
}

const listOf = z.looseObject({ kind: z.string(), items: z.array(z.unknown()) });

const pluralOf = new Map<string, Plural>(plurals.map((plural) => [kinds[plural], plural]));

export interface Files {
  objects: World['objects'];
  complete: Set<Plural>;
  /** Of kinds that no verdict reads, or of none. */
  ignored: number;
}

/**
 * Sorts documents and lists into objects by kind. Of a kind that occurs in a list, all are taken to be there, as kubectl prints
 * them; single documents may be a choice.
 */
export function sortObjects(documents: readonly unknown[]): Files {
  const files: Files = { objects: noObjects(), complete: new Set(), ignored: 0 };
  const take = (value: unknown, list?: { of: string }): void => {
    if (value === null || value === undefined) return;
    const read = listOf.safeParse(value);
    if (read.success && read.data.kind.endsWith('List')) {
      const of = read.data.kind.slice(0, -'List'.length);
      const plural = pluralOf.get(of);
      if (plural) files.complete.add(plural);
      for (const item of read.data.items) take(item, { of });
      return;
    }
    const object = readObject(value);
    const plural = pluralOf.get(object?.kind ?? list?.of ?? '');
    if (!object || !plural) {
      files.ignored++;
      return;
    }
    // Items of a list may have no kind of their own.
    files.objects[plural].set(keyOf(object), { ...object, kind: kinds[plural] });
    if (list) files.complete.add(plural);
  };
  for (const document of documents) take(document);
  return files;
}

/** The newest time anywhere in the objects, epoch ms: their clock cannot be behind it. Deadlines lie ahead, and do not count. */
export function newestTime(objects: World['objects']): number | undefined {
  let newest: number | undefined;
  const look = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      const at = pastTimes.has(key) ? parseTime(value) : undefined;
      if (at !== undefined && (newest === undefined || at > newest)) newest = at;
    } else if (Array.isArray(value)) {
      for (const item of value) look(item, key);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) look(item, name);
    }
  };
  for (const map of Object.values(objects)) for (const object of map.values()) look(object, '');
  return newest;
}

const pastTimes: ReadonlySet<string> = new Set([
  ...['lastTransitionTime', 'time', 'creationTimestamp', 'startedAt', 'finishedAt', 'startTime'],
  ...['lastTimestamp', 'firstTimestamp', 'eventTime', 'claimStartTime', 'completionTime'],
]);

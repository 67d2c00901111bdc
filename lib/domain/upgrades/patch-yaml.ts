import { isObject, type Path } from '../json-diff';
import { readYaml, type YamlFault, yamlText } from '../yaml-text';
import { patchProblem, typeName } from './patch-check';

/** What is wrong with the text of a patch; line and column count from 1. */
export interface PatchTextProblem {
  line?: number;
  column?: number;
  code: 'syntax' | 'duplicateKey' | 'aliases' | 'tooLarge' | 'notAnObject' | 'merge';
  /** The parser's words, or what the merge makes of it. */
  message: string;
  /** Where in the patch: `spec.containers[0].env`. */
  path?: string;
}
export type ParsedPatch = { patch: Record<string, unknown> } | { problems: PatchTextProblem[] };

/** Far more than a Pod template may hold, and little enough to parse at every key stroke. */
const longest = 256 * 1024;
/** The patch that a YAML or JSON text stands for; an empty text is the empty patch. */
export function parsePatchYaml(text: string): ParsedPatch {
  if (text.length > longest) {
    return { problems: [{ code: 'tooLarge', message: `${text.length} characters, at most ${longest}` }] };
  }
  const read = readYaml(text);
  if ('faults' in read) return { problems: read.faults.map(textProblem) };
  const { value, placeOf } = read;
  if (value === null || value === undefined) return { patch: {} };
  if (!isObject(value)) {
    return {
      problems: [{ line: 1, column: 1, code: 'notAnObject', message: `expected an object, got ${typeName(value)}` }],
    };
  }
  const problem = patchProblem(value);
  if (!problem) return { patch: value };
  const { path, message } = problem;
  const { line, column } = placeOf(locate(value, path)) ?? { line: 1, column: 1 };
  return { problems: [{ line, column, code: 'merge', message, path }] };
}

/** The text that {@link parsePatchYaml} reads; '' for the empty patch. */
export function patchYaml(patch: Readonly<Record<string, unknown>>): string {
  return Object.keys(patch).length === 0 ? '' : yamlText(patch);
}

function textProblem({ code, message, line, column }: YamlFault): PatchTextProblem {
  const aliases = code === 'alias' || code === 'cycle';
  return {
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    code: aliases ? 'aliases' : code === 'duplicateKey' ? code : 'syntax',
    message,
  };
}

/** Keys and indices of a path as people read it: as far as the value has them. */
function locate(value: unknown, path: string): Path {
  if (path === '') return [];
  if (Array.isArray(value)) {
    const end = path.indexOf(']');
    const name = path.slice(1, end);
    const byName = value.findIndex(
      (item) => isObject(item) && Object.values(item).some((field) => String(field) === name),
    );
    const index = byName >= 0 ? byName : Number(name);
    return index in value ? [index, ...locate(value[index], path.slice(end + 1).replace(/^\./, ''))] : [];
  }
  if (!isObject(value)) return [];
  const keys = Object.keys(value).filter((key) => path.startsWith(key) && /^($|[.[])/.test(path.slice(key.length)));
  const key = keys.sort((a, b) => b.length - a.length)[0];
  return key === undefined ? [] : [key, ...locate(value[key], path.slice(key.length).replace(/^\./, ''))];
}

import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject, type Path } from '../json-diff';
import { readYaml, type YamlFault, type YamlPlace, yamlText } from '../yaml-text';
import { patchProblem } from './patch-check';
import { faultAt, typeName } from './patch-fault';
import { unknownField } from './pod-fields';

/** What is wrong with the text of a patch. */
export type PatchTextProblem = Partial<YamlPlace> &
  (
    | { code: 'yaml'; fault: YamlFault }
    /** Written out, a patch says what it does where it does it. */
    | { code: 'aliases' | 'tooLarge' }
    /** A whole object of the API in place of a patch. */
    | { code: 'manifest'; kind: string }
    | { code: 'patch'; fault: PatchFault }
  );
export type ParsedPatch = { patch: Record<string, unknown> } | { problems: PatchTextProblem[] };

/** Far more than a Pod template may hold, and little enough to parse at every key stroke. */
const longest = 256 * 1024;
/** The patch that a YAML or JSON text stands for; an empty text is the empty patch. */
export function parsePatchYaml(text: string): ParsedPatch {
  if (text.length > longest) return { problems: [{ code: 'tooLarge' }] };
  const read = readYaml(text);
  if ('faults' in read) return { problems: read.faults.map(textProblem) };
  const { value, placeOf, alias } = read;
  if (alias) return { problems: [{ ...alias, code: 'aliases' }] };
  if (value === null || value === undefined) return { patch: {} };
  const start = { line: 1, column: 1 };
  if (!isObject(value)) {
    return { problems: [{ ...start, code: 'patch', fault: faultAt('', 'notAnObject', { got: typeName(value) }) }] };
  }
  if (typeof value.kind === 'string' && typeof value.apiVersion === 'string') {
    return { problems: [{ ...(placeOf(['kind']) ?? start), code: 'manifest', kind: value.kind }] };
  }
  const fault = patchProblem(value) ?? unknownField(value);
  if (!fault) return { patch: value };
  return { problems: [{ ...(placeOf(locate(value, fault.path)) ?? start), code: 'patch', fault }] };
}

/** The text that {@link parsePatchYaml} reads; '' for the empty patch. */
export function patchYaml(patch: Readonly<Record<string, unknown>>): string {
  return Object.keys(patch).length === 0 ? '' : yamlText(patch);
}

function textProblem(fault: YamlFault): PatchTextProblem {
  const { line, column, code } = fault;
  const at = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
  return code === 'alias' || code === 'cycle' ? { ...at, code: 'aliases' } : { ...at, code: 'yaml', fault };
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

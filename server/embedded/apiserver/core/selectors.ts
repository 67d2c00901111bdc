import type { KindDefinition } from './kind-definition';
import { labelKeyProblems, labelValueProblems } from './names';
import { at, type KubeObject, own } from './objects';
import { badRequest } from './status';

export type Matcher = (object: KubeObject) => boolean;

interface Requirement {
  key: string;
  operator: '=' | '!=' | 'in' | 'notin' | 'exists' | '!exists' | '>' | '<';
  values: readonly string[];
}

const TOKEN = /\s*(==|!=|=|\(|\)|,|!|>|<|[^\s=!(),<>]+)/y;

function tokens(text: string): string[] {
  const result: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (match?.[1] === undefined) break;
    result.push(match[1]);
  }
  return result;
}

const isWord = (token: string | undefined): token is string =>
  token !== undefined && !/^(==|!=|=|\(|\)|,|!|>|<)$/.test(token);

/** Parses a label selector; throws the 400 the server answers. */
function parseLabelSelector(text: string): readonly Requirement[] {
  const queue = tokens(text);
  const requirements: Requirement[] = [];
  while (queue.length > 0) {
    const negated = queue[0] === '!';
    if (negated) queue.shift();
    const key = queue.shift();
    if (!isWord(key)) {
      const wanted = requirements.length > 0 ? "identifier after ','" : "!, identifier, or 'end of string'";
      throw badRequest(`found '${key ?? ''}', expected: ${wanted}`);
    }
    for (const problem of labelKeyProblems(key)) throw unparsable(`<nil>: Invalid value: "${key}": ${problem}`);
    requirements.push(negated ? { key, operator: '!exists', values: [] } : requirementFor(key, queue));
    const next = queue.shift();
    if (next !== undefined && next !== ',') throw badRequest(`found '${next}', expected: ',' or 'end of string'`);
    if (next === ',' && queue.length === 0) {
      throw badRequest("found '', expected: identifier after ','");
    }
  }
  return requirements;
}

function requirementFor(key: string, queue: string[]): Requirement {
  const operator = queue[0];
  if (operator === undefined || operator === ',') return { key, operator: 'exists', values: [] };
  queue.shift();
  if (operator === '=' || operator === '==' || operator === '!=') {
    const value = isWord(queue[0]) ? queue.shift() : '';
    return { key, operator: operator === '!=' ? '!=' : '=', values: [checkedValue(key, value ?? '', 0)] };
  }
  if (operator === '>' || operator === '<') return { key, operator, values: [queue.shift() ?? ''] };
  if (operator === 'in' || operator === 'notin') {
    const open = queue.shift();
    if (open !== '(') throw unparsable(`found '${open ?? ''}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const token = queue.shift();
      if (token === ')') return { key, operator, values: values.length === 0 ? [''] : values };
      if (token === undefined) throw unparsable("found '', expected: ',', ')' or identifier");
      if (token !== ',') values.push(checkedValue(key, token, values.length));
    }
  }
  throw unparsable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
}

const unparsable = (why: string) => badRequest(`unable to parse requirement: ${why}`);

function checkedValue(key: string, value: string, index: number): string {
  for (const problem of labelValueProblems(value)) {
    throw unparsable(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
  }
  return value;
}

function labelsMatch(labels: Record<string, string> | undefined, { key, operator, values }: Requirement): boolean {
  const value = labels && own(labels, key);
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!exists':
      return value === undefined;
    case '>':
      return Number(value) > Number(values[0]);
    case '<':
      return Number(value) < Number(values[0]);
    case '=':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
  }
}

type Selectable = Pick<KindDefinition, 'fieldSelectors' | 'isCustom' | 'selected'>;

/** Parses a field selector against the fields a kind supports; throws the 400 the server answers. */
function parseFieldSelector(text: string, { fieldSelectors: supported, isCustom, selected }: Selectable): Matcher[] {
  return text
    .split(',')
    .filter((term) => term !== '')
    .map((term) => {
      const match = /^(.*?)(==|!=|=)(.*)$/.exec(term);
      if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
      const [, path = '', operator, wanted = ''] = match;
      if (path !== 'metadata.name' && path !== 'metadata.namespace' && !supported.includes(path)) {
        if (supported.length > 0 || isCustom === true) throw badRequest(`field label not supported: ${path}`);
        throw badRequest(`"${path}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
      }
      return (object) => ((selected?.(object, path) ?? fieldText(object, path)) === wanted) === (operator !== '!=');
    });
}

function fieldText(object: KubeObject, path: string): string {
  return String(at(object, path.split('.')) ?? '');
}

/** Everything a list or watch asks for; `undefined` when it asks for every object. */
export function matcherFor(
  namespace: string,
  labelSelector: string,
  fieldSelector: string,
  kind: Selectable,
): Matcher | undefined {
  const requirements = parseLabelSelector(labelSelector);
  const checks = parseFieldSelector(fieldSelector, kind);
  if (requirements.length > 0) {
    checks.push(({ metadata }) => requirements.every((requirement) => labelsMatch(metadata.labels, requirement)));
  }
  if (namespace !== '') checks.push(({ metadata }) => metadata.namespace === namespace);
  return checks.length === 0 ? undefined : (object) => checks.every((check) => check(object));
}

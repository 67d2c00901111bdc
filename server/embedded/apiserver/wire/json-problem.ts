/** Go's decoder goes no deeper. */
const MAX_DEPTH = 10_000;

/** The value of a JSON text. @throws SyntaxError, also for one that Go's decoder finds too deep */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (depthProblem(text) !== undefined) throw new SyntaxError('too deep');
  return value;
}

/** Where a text is too deep. Only long ones can be; brackets in strings do not count. */
function depthProblem(text: string): string | undefined {
  if (text.length <= MAX_DEPTH) return undefined;
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > MAX_DEPTH) return `invalid character ${quoted(token)} exceeded max depth`;
  }
  return undefined;
}

/** What is wrong with a text that is no JSON, in the words of Go's decoder. */
export function jsonProblem(text: string): string {
  const tooDeep = depthProblem(text);
  if (tooDeep !== undefined) return tooDeep;
  let problem = '';
  try {
    JSON.parse(text);
  } catch (error) {
    problem = error instanceof Error ? error.message : '';
  }
  if (text.trim() === '' || /end of JSON input/.test(problem)) return 'unexpected end of JSON input';
  const at = Number(/position (\d+)/.exec(problem)?.[1] ?? firstStrange(text));
  const literal = /(t|tr|tru|f|fa|fal|fals|n|nu|nul)$/.exec(text.slice(0, at))?.[1];
  const whole = ['true', 'false', 'null'].find((word) => literal !== undefined && word.startsWith(literal));
  const found = quoted(text[at] ?? '');
  if (whole !== undefined && literal !== undefined) {
    return `invalid character ${found} in literal ${whole} (expecting '${whole[literal.length]}')`;
  }
  return `invalid character ${found} looking for beginning of value`;
}

/** Where a text stops to be JSON, for messages of the parser that do not say so. */
function firstStrange(text: string): number {
  const start = text.search(/\S/);
  const word = ['true', 'false', 'null'].find((each) => each[0] === text[start]);
  if (word === undefined) return start;
  let length = 0;
  while (text[start + length] === word[length]) length += 1;
  return start + length;
}

function quoted(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x20 && code < 0x7f ? `'${character}'` : `'\\u${code.toString(16).padStart(4, '0')}'`;
}

/** What Go calls a JSON value that it cannot put where it should go. */
export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/**
 * Where a position of a YAML text stands, told by the indentation of the lines above it: the text is being typed, so
 * that it seldom parses. Block style only, as patches are written.
 */
export type YamlPlace = {
  /** Keys from the outside in; `[]` after the key of a list whose item it is: `spec`, `containers`, `[]`. */
  path: string[];
  /** Set when the position is behind the colon of this key: a value is typed. */
  key?: string;
  /** What stands of the word so far, and where it begins. */
  word: string;
  from: number;
};

type Line = { indent: number; dashes: number; key: string | undefined };

/** The parts of a line: `  - name: x` has indent 2, one dash, and its key at column 4. */
function lineOf(text: string): Line | undefined {
  const match = /^(\s*)((?:- +|-$)*)(?:"([^"]*)"|'([^']*)'|([\w$.\-/]+))?\s*(:)?/.exec(text);
  if (!match || text.trim() === '' || text.trim().startsWith('#')) return undefined;
  const [, space = '', marks = '', double, single, plain, colon] = match;
  return {
    indent: space.length,
    dashes: marks.length,
    key: colon === undefined ? undefined : (double ?? single ?? plain),
  };
}

export function yamlPlace(text: string, position: number): YamlPlace {
  const before = text.slice(0, position).split('\n');
  const current = before.pop() ?? '';
  const head = /^(\s*)((?:- +)*)(.*)$/.exec(current);
  const [, space = '', marks = '', rest = ''] = head ?? [];
  const colon = /^("[^"]*"|'[^']*'|[\w$.\-/]+):\s+(.*)$/.exec(rest);
  const word = colon ? (colon[2] ?? '') : rest;
  const path: string[] = [];
  // A key stands right of its dash: its siblings are at that column, its parents left of the dash.
  let column = space.length + marks.length;
  if (marks.length > 0) {
    path.unshift('[]');
    column = space.length;
  }
  // A list may stand at the column of its own key.
  let inList = marks.length > 0;
  for (let at = before.length - 1; at >= 0 && (column > 0 || inList); at--) {
    const line = lineOf(before[at] ?? '');
    if (!line) continue;
    const keyColumn = line.indent + line.dashes;
    if (line.key !== undefined && (keyColumn < column || (inList && line.dashes === 0 && keyColumn === column))) {
      path.unshift(line.key);
      inList = false;
      column = keyColumn;
    }
    if (line.dashes > 0 && line.indent < column && keyColumn <= column) {
      path.unshift('[]');
      column = line.indent;
      inList = true;
    }
  }
  const from = position - word.length;
  return { path, word, from, ...(colon?.[1] === undefined ? {} : { key: colon[1].replace(/^["']|["']$/g, '') }) };
}

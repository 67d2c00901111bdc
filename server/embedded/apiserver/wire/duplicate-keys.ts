const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

interface Container {
  path: string;
  /** Keys so far; undefined for a list. */
  keys: Set<string> | undefined;
  /** Position in a list. */
  index: number;
  /** Key of the member that is being read. */
  key: string;
  expectsKey: boolean;
}

/** Paths of keys that occur twice in one object of a valid JSON text, which JSON.parse passes over. */
export function duplicateKeys(text: string): string[] {
  const found: string[] = [];
  const open: Container[] = [];
  let top: Container | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      const keys = token === '{' ? new Set<string>() : undefined;
      top = { path: top === undefined ? '' : childPath(top), keys, index: 0, key: '', expectsKey: keys !== undefined };
      open.push(top);
    } else if (token === '}' || token === ']') {
      open.pop();
      top = open.at(-1);
    } else if (top === undefined) {
    } else if (token === ',') {
      top.index += 1;
      top.expectsKey = top.keys !== undefined;
    } else if (top.expectsKey && top.keys !== undefined) {
      top.key = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
      top.expectsKey = false;
      if (top.keys.has(top.key)) found.push(childPath(top));
      top.keys.add(top.key);
    }
  }
  return found;
}

function childPath({ path, keys, index, key }: Container): string {
  if (keys === undefined) return `${path}[${index}]`;
  return path === '' ? key : `${path}.${key}`;
}

import { type Alias, type Document, LineCounter, parseDocument, stringify, visit, type YAMLError } from 'yaml';
import type { Path } from './json-diff';

export type YamlFaultCode =
  | 'duplicateKey'
  | 'tab'
  | 'indent'
  | 'missingChar'
  | 'keyLine'
  | 'quote'
  | 'escape'
  | 'documents'
  /** Names nothing, or too much: aliases of aliases grow without bound. */
  | 'alias'
  /** Stands within what it names. */
  | 'cycle'
  | 'syntax';

/** Counted from 1. */
export interface YamlPlace {
  line: number;
  column: number;
}

/** Why a text stands for no value. */
export interface YamlFault extends Partial<YamlPlace> {
  code: YamlFaultCode;
  /** The key or the alias that stands there. */
  field: string;
  /** The parser's code, or ''. */
  got: string;
  /** The parser's words. */
  message: string;
}

export type ReadYaml =
  | {
      value: unknown;
      /** Where a field stands, or the nearest thing around it that is there. */
      placeOf(path: Path): YamlPlace | undefined;
      /** The first alias; undefined: none. */
      alias: YamlPlace | undefined;
    }
  | { faults: YamlFault[] };

const mostAliases = 50;

/** The value that a YAML or JSON text stands for, and where its parts stand. */
export function readYaml(text: string): ReadYaml {
  const counter = new LineCounter();
  const place = (offset: number): YamlPlace => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    return { faults: document.errors.map((error) => ({ ...place(error.pos[0]), ...syntaxFault(error, text) })) };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: mostAliases });
    // An alias may stand within what it names; then there is no end to it, and no JSON.
    JSON.stringify(value);
    const alias = blamedAlias(document)?.range?.[0];
    return {
      value,
      placeOf: (path) => placeIn(document, path, place),
      alias: alias === undefined ? undefined : place(alias),
    };
  } catch (error) {
    const alias = blamedAlias(document);
    return {
      faults: [
        {
          ...(alias?.range ? place(alias.range[0]) : {}),
          code: error instanceof TypeError ? 'cycle' : 'alias',
          field: alias?.source ?? '',
          got: '',
          message: error instanceof Error ? error.message : String(error),
        },
      ],
    };
  }
}

/** YAML without anchors and without folded lines. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

const codes: Partial<Record<YAMLError['code'], YamlFaultCode>> = {
  DUPLICATE_KEY: 'duplicateKey',
  TAB_AS_INDENT: 'tab',
  BAD_INDENT: 'indent',
  BLOCK_AS_IMPLICIT_KEY: 'indent',
  BLOCK_IN_FLOW: 'indent',
  MISSING_CHAR: 'missingChar',
  MULTILINE_IMPLICIT_KEY: 'keyLine',
  BAD_SCALAR_START: 'quote',
  BAD_DQ_ESCAPE: 'escape',
  BAD_ALIAS: 'alias',
  MULTIPLE_DOCS: 'documents',
};

function syntaxFault({ code, message, pos }: YAMLError, text: string): Omit<YamlFault, keyof YamlPlace> {
  const key = /^["']?([^:"'\n]*)/.exec(text.slice(pos[0]))?.[1]?.trim() ?? '';
  return { code: codes[code] ?? 'syntax', field: key, got: code, message };
}

/** The first alias that names nothing, else the first one. */
function blamedAlias(document: Document): Alias | undefined {
  const aliases: Alias[] = [];
  visit(document, { Alias: (_key, node) => void aliases.push(node) });
  return aliases.find((alias) => alias.resolve(document) === undefined) ?? aliases[0];
}

function placeIn(document: Document, path: Path, place: (offset: number) => YamlPlace): YamlPlace | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) continue;
    return place(Number(node.range[0]));
  }
  return undefined;
}

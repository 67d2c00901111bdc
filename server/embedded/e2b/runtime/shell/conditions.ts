import type { TestExpression } from 'unbash';
import type { Expander } from './expand';
import { matchAll, matches } from './pattern';
import { type Shell, ShellError } from './state';

async function fileIs(shell: Shell, operator: string, name: string): Promise<boolean> {
  const { folder } = shell.machine;
  const stats = await folder.stat(folder.resolve(shell.cwd, name)).catch(() => undefined);
  switch (operator) {
    case '-f':
      return stats?.isFile() ?? false;
    case '-d':
      return stats?.isDirectory() ?? false;
    case '-s':
      return (stats?.size ?? 0) > 0;
    case '-x':
      return ((stats?.mode ?? 0) & 0o111) !== 0;
    case '-L':
    case '-h':
      return stats?.isSymbolicLink() ?? false;
    default:
      return stats !== undefined;
  }
}

const FILE_TESTS = ['-e', '-f', '-d', '-r', '-w', '-x', '-s', '-L', '-h'];

async function unary(shell: Shell, operator: string, operand: string): Promise<boolean> {
  if (operator === '-n') return operand !== '';
  if (operator === '-z') return operand === '';
  if (operator === '-v') return shell.vars.has(operand);
  if (operator === '-t') return false;
  if (FILE_TESTS.includes(operator)) return fileIs(shell, operator, operand);
  throw new ShellError(`${operator}: unary operator expected`, 2);
}

function wholeNumber(text: string): bigint {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new ShellError(`${text}: integer expression expected`, 2);
  return BigInt(text.trim().replace(/^\+/, ''));
}

async function binary(shell: Shell, left: string, operator: string, right: string): Promise<boolean> {
  const numeric: Record<string, (a: bigint, b: bigint) => boolean> = {
    '-eq': (a, b) => a === b,
    '-ne': (a, b) => a !== b,
    '-lt': (a, b) => a < b,
    '-le': (a, b) => a <= b,
    '-gt': (a, b) => a > b,
    '-ge': (a, b) => a >= b,
  };
  const compare = numeric[operator];
  if (compare) return compare(wholeNumber(left), wholeNumber(right));
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '-nt':
    case '-ot': {
      const { folder } = shell.machine;
      const time = async (name: string) =>
        (await folder.stat(folder.resolve(shell.cwd, name)).catch(() => undefined))?.mtimeMs ?? -1;
      const [a, b] = [await time(left), await time(right)];
      return operator === '-nt' ? a > b : a < b;
    }
  }
  throw new ShellError(`${operator}: binary operator expected`, 2);
}

/** `[[ … ]]` */
export async function conditionHolds(shell: Shell, expander: Expander, node: TestExpression): Promise<boolean> {
  switch (node.type) {
    case 'TestUnary':
      return unary(shell, node.operator, await expander.text(node.operand));
    case 'TestBinary': {
      const left = await expander.text(node.left);
      if (node.operator === '=~') return matchAll(await expander.text(node.right), '', [left])[0] ?? false;
      if (node.operator === '=' || node.operator === '==') return matches(left, await expander.pieces(node.right));
      if (node.operator === '!=') return !matches(left, await expander.pieces(node.right));
      return binary(shell, left, node.operator, await expander.text(node.right));
    }
    case 'TestNot':
      return (await conditionHolds(shell, expander, node.operand)) === (node.negations.length % 2 === 0);
    case 'TestGroup':
      return conditionHolds(shell, expander, node.expression);
    case 'TestLogical':
      for (const operand of node.operands) {
        const holds = await conditionHolds(shell, expander, operand);
        if (holds === (node.operator === '||')) return holds;
      }
      return node.operator === '&&';
  }
}

/** `[ … ]` and `test …`: `or` of `and` of `!` of one test. */
export async function testHolds(shell: Shell, args: readonly string[]): Promise<boolean> {
  const words = [...args];
  const isBinary = (word: string | undefined) =>
    word !== undefined && /^(=|==|!=|<|>|-(eq|ne|lt|le|gt|ge|nt|ot))$/.test(word);
  const one = async (): Promise<boolean> => {
    const word = words.shift();
    if (word === undefined) return false;
    if (isBinary(words[0]) && words.length > 1) {
      const [operator = '', right = ''] = words.splice(0, 2);
      return binary(shell, word, operator, right);
    }
    if (word === '!' && words.length > 0) return !(await one());
    if (word === '(' && words.includes(')')) {
      const holds = await either();
      if (words.shift() !== ')') throw new ShellError("`)' expected", 2);
      return holds;
    }
    if (/^-[a-zA-Z]$/.test(word) && words.length > 0 && words[0] !== '-a' && words[0] !== '-o' && words[0] !== ')') {
      return unary(shell, word, words.shift() ?? '');
    }
    return word !== '';
  };
  const both = async (): Promise<boolean> => {
    let holds = await one();
    while (words[0] === '-a') {
      words.shift();
      holds = (await one()) && holds;
    }
    return holds;
  };
  const either = async (): Promise<boolean> => {
    let holds = await both();
    while (words[0] === '-o') {
      words.shift();
      holds = (await both()) || holds;
    }
    return holds;
  };
  const holds = await either();
  if (words.length > 0) throw new ShellError('too many arguments', 2);
  return holds;
}

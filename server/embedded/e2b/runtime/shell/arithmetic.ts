import type { ArithmeticExpression, ArithmeticWord, WordPart } from 'unbash';
import { getVar, type Shell, ShellError, setVar } from './state';

type Expand = (parts: readonly WordPart[]) => Promise<string>;

/** Whole numbers of 64 bits, as bash calculates. */
export async function calculate(shell: Shell, node: ArithmeticExpression | undefined, expand: Expand): Promise<bigint> {
  return node ? BigInt.asIntN(64, await value(shell, node, expand)) : 0n;
}

async function value(shell: Shell, node: ArithmeticExpression, expand: Expand): Promise<bigint> {
  switch (node.type) {
    case 'ArithmeticGroup':
      return value(shell, node.expression, expand);
    case 'ArithmeticWord':
      return toNumber(shell, node.parts ? await expand(node.parts) : node.value);
    case 'ArithmeticTernary':
      return value(shell, (await value(shell, node.test, expand)) !== 0n ? node.consequent : node.alternate, expand);
    case 'ArithmeticUnary':
      return unary(shell, node.operator, node.operand, node.prefix, expand);
    case 'ArithmeticBinary':
      return binary(shell, node.operator, node.left, node.right, expand);
    case 'ArithmeticCommandExpansion':
      return toNumber(shell, await expand([{ ...node, type: 'CommandExpansion' }]));
  }
}

function toNumber(shell: Shell, text: string, depth = 0): bigint {
  const trimmed = text.trim();
  if (trimmed === '') return 0n;
  const sign = /^([-+])\s*(.*)$/.exec(trimmed);
  if (sign) return toNumber(shell, sign[2] ?? '', depth) * (sign[1] === '-' ? -1n : 1n);
  if (/^0[0-7]+$/.test(trimmed)) return BigInt(`0o${trimmed.slice(1)}`);
  if (/^(0x[\da-f]+|[1-9]\d*|0)$/i.test(trimmed)) return BigInt(trimmed);
  if (/^[a-z_]\w*$/i.test(trimmed) && depth < 16) return toNumber(shell, getVar(shell, trimmed) ?? '', depth + 1);
  throw new ShellError(`${trimmed}: syntax error: operand expected (error token is "${trimmed}")`);
}

function nameOf(node: ArithmeticExpression): string {
  if (node.type === 'ArithmeticWord' && /^[a-z_]\w*$/i.test((node as ArithmeticWord).value)) return node.value;
  throw new ShellError('attempted assignment to non-variable');
}

async function unary(shell: Shell, operator: string, operand: ArithmeticExpression, prefix: boolean, expand: Expand) {
  const number = await value(shell, operand, expand);
  if (operator === '++' || operator === '--') {
    const changed = number + (operator === '++' ? 1n : -1n);
    setVar(shell, nameOf(operand), String(changed));
    return prefix ? changed : number;
  }
  if (operator === '-') return -number;
  if (operator === '!') return number === 0n ? 1n : 0n;
  if (operator === '~') return ~number;
  return number;
}

async function binary(
  shell: Shell,
  operator: string,
  left: ArithmeticExpression,
  right: ArithmeticExpression,
  expand: Expand,
): Promise<bigint> {
  const assigned = /^(.*[^=!<>]|<<|>>|)=$/.exec(operator);
  if (assigned) {
    const name = nameOf(left);
    const given = await value(shell, right, expand);
    const result = assigned[1] ? apply(assigned[1], toNumber(shell, getVar(shell, name) ?? ''), given) : given;
    setVar(shell, name, String(BigInt.asIntN(64, result)));
    return result;
  }
  const first = await value(shell, left, expand);
  if (operator === '&&') return first !== 0n && (await value(shell, right, expand)) !== 0n ? 1n : 0n;
  if (operator === '||') return first !== 0n || (await value(shell, right, expand)) !== 0n ? 1n : 0n;
  return apply(operator, first, await value(shell, right, expand));
}

function apply(operator: string, a: bigint, b: bigint): bigint {
  if ((operator === '/' || operator === '%') && b === 0n) throw new ShellError('division by 0');
  // Numbers have 64 bits; a greater power would only take memory.
  if (operator === '**' && b > 63n && a !== 0n && a !== 1n && a !== -1n) throw new ShellError('exponent too large');
  const operations: Record<string, () => bigint | boolean> = {
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => a / b,
    '%': () => a % b,
    '**': () => a ** b,
    '<<': () => a << (b & 63n),
    '>>': () => a >> (b & 63n),
    '&': () => a & b,
    '|': () => a | b,
    '^': () => a ^ b,
    '<': () => a < b,
    '>': () => a > b,
    '<=': () => a <= b,
    '>=': () => a >= b,
    '==': () => a === b,
    '!=': () => a !== b,
    ',': () => b,
  };
  const operation = operations[operator];
  if (!operation) throw new ShellError(`${operator}: syntax error: invalid arithmetic operator`);
  return BigInt(operation());
}

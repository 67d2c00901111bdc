import { type ParsedScript, parse } from 'unbash';
import { homeOf } from '../folder';
import { LIMITS } from '../limits';
import { readAll } from '../streams';
import { runScript } from './execute';
import { Held } from './held';
import type { Files } from './redirect';
import type { FunctionBody, Program, Run, Shell, Variable } from './state';

const SYNTAX_STATUS = 2;

/** What bash says of a script that is no script; undefined when it is one. */
export function syntaxError(name: string, source: string, script: ParsedScript): string | undefined {
  const error = script.errors?.[0];
  if (!error) return undefined;
  const line = source.slice(0, error.pos).split('\n').length;
  const token = /^unexpected token '(.*)'$/.exec(error.message)?.[1];
  if (token !== undefined) {
    const shown = token === '\n' || token === '' ? 'newline' : token;
    return `${name}: line ${line}: syntax error near unexpected token \`${shown}'\n${name}: line ${line}: \`${source.split('\n')[line - 1]}'\n`;
  }
  const open = { 'double quote': '"', 'single quote': "'", 'command substitution': ')', backtick: '`', parameter: '}' };
  const unclosed = Object.entries(open).find(
    ([what]) => error.message.startsWith('unterminated') && error.message.includes(what),
  );
  if (unclosed) return `${name}: line ${line}: unexpected EOF while looking for matching \`${unclosed[1]}'\n`;
  const last = source.split('\n').length + 1;
  return `${name}: line ${last}: syntax error: unexpected end of file\n`;
}

function newShell(run: Run, source: string, name: string, params: readonly string[]): Shell {
  const vars = new Held<Variable>(({ value }) => value.length);
  for (const [key, value] of Object.entries(run.env)) vars.set(key, { value, exported: true });
  vars.set('PWD', { value: run.cwd, exported: true });
  vars.set('SHLVL', { value: String(Number(run.env.SHLVL ?? 0) + 1), exported: true });
  vars.set('_', { value: '/usr/bin/env', exported: true });
  return {
    machine: run.machine,
    user: run.user,
    process: run.process,
    name,
    source,
    params,
    vars,
    functions: new Held<FunctionBody>(({ pos, end }) => end - pos),
    cwd: run.cwd,
    status: 0,
    errexit: false,
    pipefail: false,
    jobs: [],
    depth: run.depth + 1,
    locals: undefined,
    direct: false,
    holding: new Set(),
  };
}

async function runSource(
  run: Run,
  source: string,
  name: string,
  params: readonly string[],
  { isText = false, errexit = false } = {},
): Promise<number> {
  if (run.depth >= LIMITS.shellDepth) throw new RangeError('fork: Resource temporarily unavailable');
  const script = parse(source);
  const wrong = syntaxError(isText ? `${name}: -c` : name, source, script);
  if (wrong !== undefined) {
    await run.stderr.write(Buffer.from(wrong));
    return SYNTAX_STATUS;
  }
  const shell = newShell(run, source, name, params);
  shell.errexit = errexit;
  const [statement] = script.commands;
  // Bash needs no process besides its own for this.
  shell.direct = script.commands.length === 1 && statement?.command.type === 'Command' && !statement.background;
  const files: Files = new Map<number, Run['stdin'] | Run['stdout']>([
    [0, run.stdin],
    [1, run.stdout],
    [2, run.stderr],
  ]);
  const status = await runScript(shell, script, files);
  // Whoever reads the output waits for everyone who may still write to it.
  while (shell.holding.size > 0) await Promise.race([...shell.holding, rejected(run)]);
  return status;
}

/** Never resolves; rejects when the process is killed. */
function rejected(run: Run): Promise<never> {
  return new Promise((_, reject) => {
    run.process.killed.addEventListener('abort', () => reject(run.process.killed.reason), { once: true });
  });
}

async function readScript(run: Run, name: string): Promise<string> {
  const { folder } = run.machine;
  return Buffer.from(await readAll(await folder.openRead(folder.resolve(run.cwd, name)))).toString('utf8');
}

/** `bash [-l] [-e] [-c TEXT [NAME [PARAM…]] | FILE [PARAM…]]` */
export const bash: Program = async (run) => {
  const args = [...run.args];
  let isText = false;
  let errexit = false;
  while (args[0]?.startsWith('-') && args[0] !== '-') {
    const flag = args.shift() ?? '';
    if (flag === '--') break;
    if (flag === '--login' || flag === '--norc' || flag === '--noprofile') continue;
    if (!/^-[lceiu]+$/.test(flag)) {
      await run.stderr.write(Buffer.from(`${run.name}: ${flag}: invalid option\n`));
      return SYNTAX_STATUS;
    }
    isText ||= flag.includes('c');
    errexit ||= flag.includes('e');
  }
  if (isText) {
    const [text, name = run.name, ...params] = args;
    if (text !== undefined) return runSource(run, text, name, params, { isText, errexit });
    await run.stderr.write(Buffer.from(`${run.name}: -c: option requires an argument\n`));
    return SYNTAX_STATUS;
  }
  const [file, ...params] = args;
  if (file !== undefined && file !== '-') return runSource(run, await readScript(run, file), file, params, { errexit });
  return runSource(run, Buffer.from(await readAll(run.stdin)).toString('utf8'), run.name, [], { errexit });
};

/** A file of the sandbox that is called as a command. */
export function scriptProgram(inside: string): Program {
  return async (run) => {
    const source = await readScript(run, inside);
    const interpreter = /^#!\s*(?:\/usr\/bin\/env\s+)?(\S+)/.exec(source)?.[1] ?? 'bash';
    if (/(^|\/)(ba)?sh$/.test(interpreter)) return runSource(run, source, run.name, run.args);
    if (/(^|\/)python3?$/.test(interpreter)) {
      const job = { kind: 'file', value: inside, argv: [run.name, ...run.args], env: run.env, cwd: run.cwd } as const;
      return run.machine.python(job, run, run.process);
    }
    await run.stderr.write(Buffer.from(`${run.name}: ${interpreter}: bad interpreter: No such file or directory\n`));
    return 126;
  };
}

/** The environment of a first command, besides what `/init` and the request give. */
export function loginEnvironment(user: Run['user']): Record<string, string> {
  return {
    E2B_SANDBOX: 'false',
    HOME: homeOf(user),
    LOGNAME: user,
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    USER: user,
  };
}

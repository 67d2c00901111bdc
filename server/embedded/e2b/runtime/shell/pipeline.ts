import type { AndOr, Pipeline, PipelineNode, Script, Statement } from 'unbash';
import { Pipe } from '../streams';
import { runCommand, runScript } from './execute';
import type { Files } from './redirect';
import { statusOf } from './run-program';
import { Leave, type Shell, subshell, unsupported } from './state';

const statementOf = (command: PipelineNode): Statement => ({
  type: 'Statement',
  pos: command.pos,
  end: command.end,
  command,
  background: undefined,
});

export function startJob(shell: Shell, statement: Statement, files: Files): void {
  const { command } = statement;
  const process = shell.machine.processes.start(shell.source.slice(statement.pos, statement.end).replace(/\s*&$/, ''));
  const inner = subshell(shell, process);
  inner.direct = true;
  // A command in the background does not read what its shell reads.
  const own = new Map(files).set(0, { read: async () => undefined });
  const exit = process.run(async () => {
    const script: Script = {
      type: 'Script',
      pos: 0,
      end: 0,
      shebang: undefined,
      commands: [{ ...statement, command, background: undefined }],
    };
    return runScript(inner, script, own);
  });
  const done = exit.then(statusOf);
  shell.jobs.push({ process, done });
  if (files.get(1) === own.get(1) || files.get(2) === own.get(2)) {
    shell.holding.add(done);
    done.then(() => shell.holding.delete(done));
  }
}

export async function runAndOr(shell: Shell, node: AndOr, files: Files, tested: boolean): Promise<number> {
  for (const [at, command] of node.commands.entries()) {
    const operator = node.operators[at - 1];
    if (operator === '&&' && shell.status !== 0) continue;
    if (operator === '||' && shell.status === 0) continue;
    const isLast = at === node.commands.length - 1;
    shell.status = await runPipeline(shell, command, files, tested || !isLast);
  }
  return shell.status;
}

export async function runPipeline(shell: Shell, node: PipelineNode, files: Files, tested: boolean): Promise<number> {
  let status: number;
  if (node.type !== 'Pipeline') {
    status = await runCommand(shell, node, files, tested);
  } else {
    if (node.prefixes.some((prefix) => prefix.type === 'Time')) throw unsupported('time');
    status = await runStages(shell, node, files, tested || node.prefixes.length > 0);
    if (node.prefixes.length % 2 === 1) return status === 0 ? 1 : 0;
    if (node.prefixes.length > 0) return status;
  }
  if (shell.errexit && !tested && status !== 0) throw new Leave('exit', status);
  return status;
}

async function runStages(shell: Shell, node: Pipeline, files: Files, tested: boolean): Promise<number> {
  const [only] = node.commands;
  if (only && node.commands.length === 1) return runCommand(shell, only, files, tested);
  const pipes = node.operators.map(() => new Pipe());
  const statuses = await Promise.all(
    node.commands.map(async (command, at) => {
      const input = pipes[at - 1];
      const output = pipes[at];
      const own = new Map(files);
      if (input) own.set(0, input);
      if (output) own.set(1, output);
      if (output && node.operators[at] === '|&') own.set(2, output);
      try {
        const script: Script = { type: 'Script', pos: 0, end: 0, shebang: undefined, commands: [statementOf(command)] };
        return await runScript(subshell(shell), script, own);
      } finally {
        output?.end();
        input?.break();
      }
    }),
  );
  const failed = shell.pipefail ? statuses.findLast((status) => status !== 0) : undefined;
  return failed ?? statuses.at(-1) ?? 0;
}

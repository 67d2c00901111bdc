import type { Command, CommandNode, Script } from 'unbash';
import { conditionHolds } from './conditions';
import { checkpoint, runList, runScript } from './execute';
import { matches } from './pattern';
import { type Files, redirect } from './redirect';
import { Leave, type Shell, setVar, subshell, unsupported } from './state';
import { expanderOf } from './substitute';

export async function runCompound(
  shell: Shell,
  node: Exclude<CommandNode, Command>,
  files: Files,
  tested: boolean,
): Promise<number> {
  const expander = expanderOf(shell, files);
  switch (node.type) {
    case 'Redirected': {
      const opened = await redirect(shell, expander, node.redirects, files);
      try {
        return await runCompound(shell, node.command, opened.files, tested);
      } finally {
        await opened.close();
      }
    }
    case 'Subshell': {
      const script: Script = {
        type: 'Script',
        pos: node.pos,
        end: node.end,
        shebang: undefined,
        commands: node.body.commands,
      };
      return runScript(subshell(shell), script, files);
    }
    case 'BraceGroup':
      return runList(shell, node.body, files, tested);
    case 'If': {
      for (const branch of [node, ...node.elif]) {
        if ((await runList(shell, branch.clause, files, true)) === 0) return runList(shell, branch.then, files, tested);
      }
      shell.status = 0;
      return node.else ? runList(shell, node.else, files, tested) : 0;
    }
    case 'For': {
      const values = node.wordlist ? await expander.words(node.wordlist) : [...shell.params];
      shell.status = 0;
      return loop(shell, async (turn) => {
        const value = values[turn];
        if (value === undefined) return false;
        setVar(shell, node.name.value, value);
        await runList(shell, node.body, files, tested);
        return true;
      });
    }
    case 'While': {
      let last = 0;
      await loop(shell, async () => {
        const holds = (await runList(shell, node.clause, files, true)) === 0;
        shell.status = last;
        if (holds !== (node.kind === 'while')) return false;
        last = await runList(shell, node.body, files, tested);
        return true;
      });
      return shell.status;
    }
    case 'ArithmeticFor':
      await expander.number(node.initialize);
      return loop(shell, async (turn) => {
        if (turn > 0) await expander.number(node.update);
        if (node.test && (await expander.number(node.test)) === 0n) return false;
        await runList(shell, node.body, files, tested);
        return true;
      });
    case 'ArithmeticCommand':
      return (await expander.number(node.expression)) === 0n ? 1 : 0;
    case 'TestCommand':
      return (await conditionHolds(shell, expander, node.expression)) ? 0 : 1;
    case 'Case': {
      const word = await expander.text(node.word);
      for (const item of node.items) {
        if (item.terminator && item.terminator !== ';;') throw unsupported(item.terminator);
        for (const pattern of item.pattern) {
          if (matches(word, await expander.pieces(pattern))) return runList(shell, item.body, files, tested);
        }
      }
      return 0;
    }
    case 'Function':
      shell.functions.set(node.name.value, node.body);
      return 0;
    case 'Select':
    case 'Coproc':
      throw unsupported(node.type.toLowerCase());
  }
}

/** Turns until one says that it was the last. */
async function loop(shell: Shell, turn: (number: number) => Promise<boolean>): Promise<number> {
  for (let number = 0; ; number += 1) {
    try {
      await checkpoint(shell);
      if (!(await turn(number))) return shell.status;
    } catch (error) {
      if (!(error instanceof Leave) || error.kind === 'exit' || error.kind === 'return') throw error;
      if (error.value > 1) throw new Leave(error.kind, error.value - 1);
      shell.status = 0;
      if (error.kind === 'break') return 0;
    }
  }
}

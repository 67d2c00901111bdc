import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { RuntimeInit } from '../contract';
import { homeOf, type User } from '../folder';
import { LIMITS } from '../limits';
import type { Process } from '../processes';
import { goReasonOf } from '../reasons';
import { loginEnvironment } from '../shell/bash';
import { attempt, findProgram } from '../shell/run-program';
import type { Machine, Shell } from '../shell/state';
import { Command, type CommandConfig } from './command';
import { RpcError, readMessage, readStreamMessage, Stream, sendMessage, timeoutOf } from './connect';

const configSchema = z.object({
  cmd: z.string(),
  args: z.array(z.string()).optional(),
  envs: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
});
const startSchema = z.object({ process: configSchema, pty: z.unknown().optional(), tag: z.string().optional() });
const selectorSchema = z.object({ pid: z.number().optional(), tag: z.string().optional() });
const connectSchema = z.object({ process: selectorSchema });
const inputSchema = z.object({
  process: selectorSchema,
  input: z.object({ stdin: z.base64().optional(), pty: z.base64().optional() }).optional(),
});
const signalSchema = z.object({ process: selectorSchema, signal: z.union([z.string(), z.number()]).optional() });

const DEADLINE = () => new RpcError('deadline_exceeded', 'context deadline exceeded');

/** `process.Process`: starts commands, and speaks to those that run. */
export class ProcessService {
  private readonly commands = new Map<number, Command>();

  constructor(
    private readonly machine: Machine,
    private readonly init: () => RuntimeInit,
  ) {}

  /** The methods that answer one message. */
  readonly unary: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
    List: async (request, response) => {
      const processes = [...this.commands.values()].map(({ config, process, tag }) => ({
        config,
        pid: process.pid,
        tag,
      }));
      sendMessage(request, response, processes.length > 0 ? { processes } : {});
    },
    SendInput: async (request, response) => {
      const { process, input } = await readMessage(request, inputSchema);
      const command = this.select(process);
      if (input?.stdin === undefined)
        throw new RpcError('internal', 'error writing to tty: tty not assigned to process');
      await command.stdin.write(Buffer.from(input.stdin, 'base64')).catch((error) => {
        throw new RpcError('internal', `error writing to stdin: ${goReasonOf(error) || 'broken pipe'}`);
      });
      sendMessage(request, response, {});
    },
    SendSignal: async (request, response) => {
      const { process, signal } = await readMessage(request, signalSchema);
      const command = this.select(process);
      if (signal === 'SIGNAL_SIGKILL' || signal === 9) command.process.kill('SIGKILL');
      else if (signal === 'SIGNAL_SIGTERM' || signal === 15) command.process.kill('SIGTERM');
      else throw new RpcError('unimplemented', `invalid signal: ${signal ?? 'SIGNAL_UNSPECIFIED'}`);
      sendMessage(request, response, {});
    },
    Update: async (request) => {
      const { process } = await readMessage(request, connectSchema);
      this.select(process);
      throw new RpcError('internal', 'error resizing tty: tty not assigned to process');
    },
  };

  /** The methods that answer a stream. */
  readonly streams: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse, user: User | undefined) => Promise<void>>
  > = {
    Start: async (request, response, user) => {
      const stream = new Stream(request, response);
      await failing(stream, async () => {
        if (!user) throw new RpcError('unauthenticated', 'no user specified');
        const { process: config, pty, tag } = await readStreamMessage(request, startSchema);
        if (pty !== undefined && pty !== null)
          throw new RpcError('unimplemented', 'this runtime has no terminals (pty)');
        await this.start(config, tag, user, stream, timeoutOf(request));
      });
    },
    Connect: async (request, response) => {
      const stream = new Stream(request, response);
      await failing(stream, async () => {
        const { process } = await readStreamMessage(request, connectSchema);
        const command = this.select(process);
        await command.follow(stream);
        const ms = timeoutOf(request);
        if (ms === undefined) return;
        const timer = setTimeout(() => {
          command.unfollow(stream);
          stream.end(DEADLINE());
        }, ms);
        stream.closed.addEventListener('abort', () => clearTimeout(timer));
      });
    },
  };

  /** Everyone who follows a command sees a broken connection. */
  cut(): void {
    for (const command of this.commands.values()) command.cut();
  }

  private async start(
    config: CommandConfig,
    tag: string | undefined,
    user: User,
    stream: Stream,
    timeoutMs?: number,
  ): Promise<void> {
    const { folder, processes } = this.machine;
    const cwd = folder.resolve(homeOf(user), config.cwd ?? '');
    const stats = await folder.stat(cwd).catch(() => undefined);
    if (!stats) throw new RpcError('invalid_argument', `cwd '${config.cwd}' does not exist`);
    const program = await findProgram({ machine: this.machine, cwd } as Shell, config.cmd).catch(() => {
      throw new RpcError(
        'invalid_argument',
        `error starting process '${config.cmd}': fork/exec ${config.cmd}: no such file or directory`,
      );
    });
    const process = this.processFor(config, processes);
    const command = new Command(process, config, tag);
    this.commands.set(process.pid, command);
    await command.follow(stream);
    const ms = timeoutMs ?? LIMITS.commandMs;
    const deadline = setTimeout(
      () => {
        command.unfollow(stream);
        stream.end(DEADLINE());
        process.kill('SIGKILL');
      },
      Math.min(ms, 2 ** 31 - 1),
    );
    const run = {
      name: config.cmd,
      args: config.args ?? [],
      env: { ...loginEnvironment(user), ...this.init().env, ...config.envs },
      cwd,
      user,
      machine: this.machine,
      process,
      depth: 0,
      stdin: command.stdin,
      stdout: command.sink('stdout'),
      stderr: command.sink('stderr'),
    };
    process
      .run(() => attempt(program, run))
      .then((exit) => {
        clearTimeout(deadline);
        this.commands.delete(process.pid);
        command.finish(exit);
      });
  }

  private processFor(config: CommandConfig, processes: Machine['processes']): Process {
    try {
      return processes.start([config.cmd, ...(config.args ?? [])].join(' '));
    } catch (error) {
      throw new RpcError(
        'resource_exhausted',
        `error starting process '${config.cmd}': fork/exec ${config.cmd}: ${goReasonOf(error)}`,
      );
    }
  }

  private select(selector: z.infer<typeof selectorSchema>): Command {
    const { pid, tag } = selector;
    if (tag !== undefined) {
      const found = [...this.commands.values()].find((command) => command.tag === tag);
      if (found) return found;
      throw new RpcError('not_found', `process with tag ${tag} not found`);
    }
    const found = pid === undefined ? undefined : this.commands.get(pid);
    if (!found) throw new RpcError('not_found', `process with pid ${pid ?? 0} not found`);
    return found;
  }
}

/** What goes wrong with a stream ends it. */
export async function failing(stream: Stream, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    stream.end(error instanceof RpcError ? error : new RpcError('internal', goReasonOf(error)));
  }
}

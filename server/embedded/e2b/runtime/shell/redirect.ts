import type { Redirection } from 'unbash';
import { reasonOf } from '../reasons';
import { NOTHING, type Sink, type Source, sourceOf } from '../streams';
import type { Expander } from './expand';
import { type Shell, ShellError, unsupported } from './state';

/** What the numbers of open files stand for. */
export type Files = ReadonlyMap<number, Source | Sink>;

export interface Redirected {
  readonly files: Files;
  /** To be called when the command is over. */
  close(): Promise<void>;
}

const isSink = (file: Source | Sink | undefined): file is Sink => file !== undefined && 'write' in file;
const isSource = (file: Source | Sink | undefined): file is Source => file !== undefined && 'read' in file;

export const sinkOf = (files: Files, fd: number): Sink => {
  const file = files.get(fd);
  return isSink(file) ? file : NOTHING;
};

export const sourceOfFile = (files: Files, fd: number): Source => {
  const file = files.get(fd);
  return isSource(file) ? file : NOTHING;
};

/** Opens what the redirections of one command name, from left to right. */
export async function redirect(
  shell: Shell,
  expander: Expander,
  redirects: readonly Redirection[],
  before: Files,
): Promise<Redirected> {
  const files = new Map(before);
  const opened: { close?(): Promise<void> }[] = [];
  const keep = <T extends { close?(): Promise<void> }>(file: T): T => {
    opened.push(file);
    return file;
  };
  const close = async () => {
    for (const file of opened) await file.close?.();
  };
  try {
    for (const node of redirects) {
      if (node.descriptor?.type === 'FileDescriptorVariable') throw unsupported(`{${node.descriptor.name}}>`);
      const fd = node.descriptor?.value;
      if (node.type === 'HereDoc') {
        const body = node.body.parts ? await expander.parts(node.body.parts) : node.body.text;
        files.set(fd ?? 0, sourceOf(Buffer.from(node.operator === '<<-' ? body.replace(/^\t+/gm, '') : body)));
        continue;
      }
      const target = node.target ? await expander.text(node.target) : '';
      if (node.type === 'HereString') {
        files.set(fd ?? 0, sourceOf(Buffer.from(`${target}\n`)));
        continue;
      }
      const isOutput = node.operator !== '<' && node.operator !== '<&' && node.operator !== '<>';
      if ((node.operator === '>&' || node.operator === '<&') && /^(\d+|-)$/.test(target)) {
        const to = fd ?? (isOutput ? 1 : 0);
        const from = files.get(Number(target));
        if (target === '-') files.delete(to);
        else if (from) files.set(to, from);
        else throw new ShellError(`${target}: Bad file descriptor`);
      } else if (!isOutput) {
        if (node.operator === '<>') throw unsupported('<>');
        files.set(fd ?? 0, keep(await openSource(shell, target, files)));
      } else {
        const isBoth = node.operator.startsWith('&') || node.operator === '>&';
        const sink = keep(await openSink(shell, target, node.operator.endsWith('>>') ? 'a' : 'w', files));
        files.set(fd ?? 1, sink);
        if (isBoth) files.set(2, sink);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { files, close };
}

/** A second name of an open file: closing it leaves the file open. */
const shared = (sink: Sink): Sink => ({ write: (chunk) => sink.write(chunk) });

async function openSink(shell: Shell, target: string, flags: 'w' | 'a', files: Files): Promise<Sink> {
  if (target === '/dev/null') return { write: async () => {} };
  if (target === '/dev/stdout') return shared(sinkOf(files, 1));
  if (target === '/dev/stderr') return shared(sinkOf(files, 2));
  const { folder } = shell.machine;
  return folder.openWrite(folder.resolve(shell.cwd, target), flags, shell.user).catch((error) => {
    throw new ShellError(`${target}: ${reasonOf(error)}`);
  });
}

async function openSource(shell: Shell, target: string, files: Files): Promise<Source> {
  if (target === '/dev/null') return { read: async () => undefined };
  if (target === '/dev/stdin') return { read: () => sourceOfFile(files, 0).read() };
  const { folder } = shell.machine;
  return folder.openRead(folder.resolve(shell.cwd, target)).catch((error) => {
    throw new ShellError(`${target}: ${reasonOf(error)}`);
  });
}

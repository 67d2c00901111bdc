import { spawn } from 'node:child_process';

/** How kubectl reaches a cluster. */
export interface KubectlTarget {
  kubeconfig: string;
  context?: string | undefined;
  /** A folder of this run alone: discovery of another server at the same address must not be found there. */
  cache: string;
}

export interface Typed {
  args: readonly string[];
  stdin?: string;
  /** A shell command that `kubectl edit` runs as its editor. */
  editor?: string;
  /** Ends the command once what it has printed so far is enough: for what would run for ever. */
  until?: (stdout: string) => boolean;
}

export interface Printed {
  /** The exit code; 0 for a command that was ended because it had printed enough. */
  code: number;
  stdout: string;
  stderr: string;
}

const PATIENCE_MS = 120_000;

/** Runs the kubectl of the PATH, as it is. Rejects with the system's error when there is none. */
export function kubectl(target: KubectlTarget, { args, stdin = '', editor, until }: Typed): Promise<Printed> {
  const context = target.context === undefined ? [] : ['--context', target.context];
  const env = {
    ...process.env,
    KUBECONFIG: target.kubeconfig,
    KUBECACHEDIR: target.cache,
    // kubectl has translations.
    LC_ALL: 'C',
    ...(editor === undefined ? {} : { KUBE_EDITOR: editor }),
  };
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', [...context, ...args], { env });
    const timer = setTimeout(() => child.kill(), PATIENCE_MS);
    let enough = false;
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (enough || until?.(stdout) !== true) return;
      enough = true;
      child.kill();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: enough ? 0 : (code ?? 1), stdout, stderr });
    });
    // A command that ends without reading closes the pipe: its exit code says what was wrong.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

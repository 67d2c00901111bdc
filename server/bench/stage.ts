import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startConsole } from '../bin/lib/console.mjs';
import { startEmbedded } from '../bin/lib/embedded.mjs';
import { cacheDir } from '../bin/lib/paths.mjs';
import { claimPort } from '../bin/lib/ports.mjs';
import { withProgress } from '../bin/lib/report.mjs';
import { bearer } from '../embedded/apiserver/auth/people';
import { writeKubeconfig } from '../embedded/apiserver/kubeconfig';
import { type ApiCounter, openApiCounter } from './api-counter';
import { residentMb } from './process-stats';

/** What is measured: a cluster with many sandboxes, and the console on it. */
export interface Stage {
  sandboxes: number;
  api: { url: string; pid: number };
  /** How long the scenario took to make the sandboxes, and what the cluster weighed then. */
  filled: { seconds: number; residentMb: number | undefined };
  /** Between the console and the API server. */
  counter: ApiCounter;
  console: { url: string; pid: number };
}

/** Ends with this process, like everything that is launched. */
export async function setStage(sandboxes: number): Promise<Stage> {
  const dir = join(cacheDir, 'bench');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const embedded = await withProgress(`Starting the embedded cluster with ${sandboxes} sandboxes`, async () => {
    const extra = ['--sandboxes', String(sandboxes)];
    const log = join(dir, 'cluster.log');
    const started = await startEmbedded({ dir: join(dir, 'cluster'), scenario: 'large', log, extra });
    const ended = started.process.exited.then(() => {
      throw new Error(`the embedded cluster ended: ${started.process.lastLines(5).join(' / ')}`);
    });
    const begun = Date.now();
    await Promise.race([ended, untilThere(started.url, sandboxes)]);
    const seconds = (Date.now() - begun) / 1000;
    return { ...started, filled: { seconds, residentMb: residentMb(pidOf(started.process)) } };
  });
  const counter = await openApiCounter(embedded.url);
  const kubeconfig = join(dir, 'kubeconfig');
  writeKubeconfig(kubeconfig, counter.url);
  const console = await withProgress('Starting the console', async () => {
    const port = await claimPort(0, '127.0.0.1');
    const options = { port, kubeconfig, embedded: true, data: join(dir, 'data'), log: join(dir, 'console.log') };
    const started = await startConsole(options);
    await untilReady(started.url);
    return started;
  });
  return {
    sandboxes,
    api: { url: embedded.url, pid: pidOf(embedded.process) },
    filled: embedded.filled,
    counter,
    console: { url: console.url, pid: pidOf(console.process) },
  };
}

function pidOf({ pid }: { pid: number | undefined }): number {
  if (pid === undefined) throw new Error('a process that answers has no id');
  return pid;
}

const firstPage = z.looseObject({
  metadata: z.looseObject({ remainingItemCount: z.number().default(0) }),
  items: z.array(z.unknown()),
});

async function untilThere(api: string, sandboxes: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${api}/apis/agents.kruise.io/v1alpha1/sandboxes?limit=1`, { headers: bearer('admin') });
    const { metadata, items } = firstPage.parse(await answer.json());
    if (items.length + metadata.remainingItemCount >= sandboxes) return;
    await sleep(300);
  }
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/readyz`);
    await answer.body?.cancel();
    if (answer.ok) return;
    await sleep(100);
  }
}

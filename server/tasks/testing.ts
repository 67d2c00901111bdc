import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { activeStates, type TaskDraft, taskRequest } from '@/lib/contracts/tasks';
import { writeKubeconfig } from '../embedded/apiserver/kubeconfig';
import { collectionPath, resources } from '../embedded/controllers/client/resources';
import { startTestCluster } from '../embedded/controllers/testing';
import { startRuntimes } from '../embedded/e2b/runtime/runtimes';
import { startE2b } from '../embedded/e2b/start';
import { cordon } from '../embedded/faults/cordon';
import { readEnvironment } from '../env';
import { makeHistory } from '../history/database';
import { Cluster } from '../kube/cluster';
import { clusterConfig } from '../kube/config';
import { defaultTiming } from '../kube/timing';
import { E2b } from './e2b';
import type { TaskRecord } from './record';
import { TaskStore } from './store';
import { Tasks } from './tasks';

const container = {
  name: 'sandbox',
  image: 'registry.local/python:3.11',
  resources: { limits: { cpu: '1', memory: '512Mi' } },
};

export const person = 'mara';
export const pool = { ns: 'default', name: 'python' };

/** An embedded cluster with its manager, gateway and Python, the pools `python` and `python-empty`, and a console on it. */
export async function tasksWorld({ replicas = 3 } = {}) {
  const test = await startTestCluster();
  const dir = mkdtempSync(path.join(tmpdir(), 'tasks-'));
  const e2b = await startE2b({ cluster: test.cluster, dir: path.join(dir, 'e2b'), startRuntimes });
  for (const [name, count] of Object.entries({ python: replicas, 'python-empty': 0 })) {
    await test.api.create(collectionPath(resources.sandboxsets, 'default'), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxSet',
      metadata: { name },
      spec: { replicas: count, template: { metadata: { labels: { app: name } }, spec: { containers: [container] } } },
    });
  }
  const kubeconfig = path.join(dir, 'kubeconfig');
  writeKubeconfig(kubeconfig, test.server.url);
  const watch = new Cluster(clusterConfig(readEnvironment({ CONSOLE_KUBECONFIG: kubeconfig })), defaultTiming);
  watch.start();
  await watch.ready(10_000);
  const key = readFileSync(e2b.keyFile, 'utf8').trim();
  const history = makeHistory(dir);
  const store = new TaskStore(history);
  let running: Tasks | undefined;

  const sandboxes = () => [...watch.rows('sandboxes')];
  const claimed = () => sandboxes().filter(({ claimed: isClaimed, deleting }) => isClaimed && deleting === undefined);
  const available = () => sandboxes().filter(({ state, pool: name }) => name === 'python' && state === 'Available');
  const isFull = () => vi.waitUntil(() => available().length === replicas, { timeout: 20_000 });
  await isFull();

  /** A console's tasks, as one process has them: those of the one before come to their end. */
  async function start({
    apiKey = key,
    atOnce = 8,
    perPerson = 8,
    apiUrl = e2b.url,
    now = Date.now,
  } = {}): Promise<Tasks> {
    await running?.stop();
    const access = { apiUrl, sandboxUrl: e2b.gatewayUrl, apiKey };
    running = new Tasks({
      context: { e2b: new E2b(access), watch, secrets: [apiKey], now, clusterNow: Date.now },
      store,
      manager: apiUrl,
      atOnce,
      perPerson,
      keepDays: 14,
      isShared: false,
    });
    running.start();
    return running;
  }

  return {
    start,
    store,
    door: e2b.door,
    key,
    /** For a process of its own. */
    reach: { kubeconfig, dir, apiUrl: e2b.url, sandboxUrl: e2b.gatewayUrl, apiKey: key },
    claimed,
    available,
    isFull,
    deleteSandbox: (name: string) => test.api.remove(`${collectionPath(resources.sandboxes, 'default')}/${name}`),
    /** No Pod comes to a node until what this answers is called. */
    cordon: () => cordon(test),
    /** Whatever is on its way from a sandbox breaks off; the next request is served. */
    async cutStreams() {
      const again = await e2b.door.gateway.listener.suspend();
      await again();
    },
    /** Waits for the end of a task, wherever it runs, and answers it. */
    async ended(tasks: Tasks, id: string): Promise<TaskRecord> {
      return vi.waitUntil(
        async () => {
          const record = tasks.run(id)?.record ?? (await store.find(id));
          return record && !activeStates.has(record.state) ? record : undefined;
        },
        { timeout: 90_000, interval: 20 },
      );
    },
    async close() {
      await running?.stop();
      watch.stop();
      await e2b.stop();
      await test.stop();
      await history.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type TasksWorld = Awaited<ReturnType<typeof tasksWorld>>;

/** Submits a task, and answers its id. */
export async function submit(tasks: Tasks, code: string, more: Partial<TaskDraft> = {}): Promise<string> {
  const request = taskRequest.parse({ pool, code, timeLimitSeconds: 60, ...more });
  const submission = await tasks.submit(person, request, request.files);
  if ('refused' in submission) throw new Error(submission.refused);
  return submission.record.id;
}

/** Everything it printed. */
export async function printed(
  { store }: TasksWorld,
  tasks: Tasks,
  id: string,
  stream?: 'out' | 'err',
): Promise<string> {
  await tasks.run(id)?.stored(5_000);
  const chunks = await store.contents.output(id, 0, 10_000);
  return chunks.map((chunk) => (stream === undefined || chunk.stream === stream ? chunk.text : '')).join('');
}

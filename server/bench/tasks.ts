import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox } from 'e2b';
import {
  activeStates,
  claimsReply,
  type Task,
  type TaskDraft,
  taskMessage,
  taskReply,
  tasksReply,
} from '@/lib/contracts/tasks';
import { startConsole } from '../bin/lib/console.mjs';
import { startEmbedded } from '../bin/lib/embedded.mjs';
import { cacheDir } from '../bin/lib/paths.mjs';
import { claimPort } from '../bin/lib/ports.mjs';
import { say, withProgress } from '../bin/lib/report.mjs';
import { bearer } from '../embedded/apiserver/auth/people';
import { type Figure, figure, percentile } from './figures';

const pool = { ns: 'default', name: 'python' };
const stock = 8;
const warmRounds = 15;
const coldRounds = 8;
const atOnce = 20;
const hello = "print('hello')";
const agents = '/apis/agents.kruise.io/v1alpha1/namespaces/default';

type Running = Awaited<ReturnType<typeof startConsole>>;

/** The embedded cluster with two pools of the same template, one of them empty, and a console that runs tasks there. */
class TaskStage {
  #dir: string;
  #embedded: Awaited<ReturnType<typeof startEmbedded>>;
  #console: Running | undefined;
  #port: number;

  private constructor(dir: string, embedded: Awaited<ReturnType<typeof startEmbedded>>, port: number) {
    this.#dir = dir;
    this.#embedded = embedded;
    this.#port = port;
  }

  static async set(): Promise<TaskStage> {
    const dir = join(cacheDir, 'bench-tasks');
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    const log = join(dir, 'cluster.log');
    const embedded = await startEmbedded({ dir: join(dir, 'cluster'), scenario: 'empty', log });
    const stage = new TaskStage(dir, embedded, await claimPort(0, '127.0.0.1'));
    await stage.#makePool(pool.name, stock);
    await stage.#makePool('python-cold', 0);
    await stage.isFull();
    await stage.startConsole();
    return stage;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What the bare client needs. */
  get access() {
    const { e2b } = this.#embedded;
    if (!e2b) throw new Error('the embedded cluster has no sandbox-manager');
    return { apiUrl: e2b.url, sandboxUrl: e2b.gateway, apiKey: readFileSync(e2b.keyFile, 'utf8').trim() };
  }

  async startConsole(): Promise<void> {
    this.#console = await startConsole({
      port: this.#port,
      kubeconfig: this.#embedded.kubeconfig,
      embedded: true,
      e2b: this.#embedded.e2b,
      data: join(this.#dir, 'data'),
      log: join(this.#dir, 'console.log'),
      env: { CONSOLE_TASKS_AT_ONCE: String(atOnce), CONSOLE_TASKS_PER_PERSON: String(atOnce) },
    });
  }

  async killConsole(): Promise<void> {
    this.#console?.process.signal('SIGKILL');
    await this.#console?.process.exited;
  }

  async kube(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...bearer('admin'), 'content-type': 'application/json' };
    return fetch(`${this.#embedded.url}${path}`, { ...init, headers });
  }

  async claimed(): Promise<string[]> {
    const selector = encodeURIComponent('agents.kruise.io/sandbox-claimed=true');
    const answer = await this.kube(`${agents}/sandboxes?labelSelector=${selector}`);
    const { items } = (await answer.json()) as { items: { metadata: { name: string; deletionTimestamp?: string } }[] };
    return items.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name);
  }

  async available(): Promise<number> {
    const answer = await this.kube(`${agents}/sandboxsets/${pool.name}`);
    const { status } = (await answer.json()) as { status?: { availableReplicas?: number } };
    return status?.availableReplicas ?? 0;
  }

  isFull(): Promise<boolean> {
    return until(async () => (await this.available()) === stock, 120_000);
  }

  async #makePool(name: string, replicas: number): Promise<void> {
    const container = {
      name: 'sandbox',
      image: 'registry.local/python:3.11',
      resources: { limits: { memory: '512Mi' } },
    };
    const spec = { replicas, template: { metadata: { labels: { app: name } }, spec: { containers: [container] } } };
    const body = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', metadata: { name }, spec };
    const answer = await this.kube(`${agents}/sandboxsets`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`pool ${name}: ${answer.status} ${await answer.text()}`);
  }
}

async function until(isTrue: () => Promise<boolean>, ms: number): Promise<boolean> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    if (await isTrue()) return true;
    await sleep(100);
  }
  return false;
}

/** A write as a page sends it; one that comes too soon waits as it is told. */
async function send(stage: TaskStage, path: string, body: object): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${stage.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: stage.url, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 429) return answer;
    await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

async function submit(stage: TaskStage, code: string, more: Partial<TaskDraft> = {}): Promise<Task> {
  const draft: TaskDraft = { pool, code, timeLimitSeconds: 120, ...more };
  const answer = await send(stage, 'tasks', draft);
  if (!answer.ok) throw new Error(`task refused: ${answer.status} ${await answer.text()}`);
  return taskReply.parse(await answer.json()).task;
}

/** Follows a task as the page does. @param onText gets what is printed, when it comes */
async function follow(stage: TaskStage, id: string, onText: (text: string) => void = () => undefined): Promise<Task> {
  const answer = await fetch(`${stage.url}/api/v1/tasks/${id}/stream`);
  let task: Task | undefined;
  let rest = '';
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (rest + part).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const message = taskMessage.parse(JSON.parse(data));
      if (message.type === 'output') for (const { text } of message.chunks) onText(text);
      if (message.type === 'task') task = message.task;
      // The proof of the refill may come later; the task itself is over.
      if (task?.endedAt !== undefined) return task;
    }
  }
  throw new Error(`the stream of ${id} ended early`);
}

/** The calls of a warm hello, as somebody makes them with the client alone. */
async function bareHello({ access }: TaskStage): Promise<number> {
  const begun = performance.now();
  const sandbox = await Sandbox.create(pool.name, { ...access, timeoutMs: 240_000 });
  await sandbox.files.write('/home/user/task.py', hello);
  await sandbox.commands.run('python3 /home/user/task.py');
  await sandbox.files.list('/home/user', { depth: 4 });
  await sandbox.kill();
  return performance.now() - begun;
}

async function taskHello(stage: TaskStage): Promise<number> {
  const begun = performance.now();
  const { id } = await submit(stage, hello);
  const task = await follow(stage, id);
  if (task.state !== 'succeeded') throw new Error(`hello was ${task.state}: ${JSON.stringify(task.problem)}`);
  return performance.now() - begun;
}

/** In turns, so that both meet the same machine. */
async function overhead(stage: TaskStage): Promise<Figure[]> {
  const bare: number[] = [];
  const tasks: number[] = [];
  for (let round = -2; round < warmRounds; round++) {
    await stage.isFull();
    const alone = await bareHello(stage);
    await stage.isFull();
    const task = await taskHello(stage);
    // The first ones open connections and load code.
    if (round < 0) continue;
    bare.push(alone);
    tasks.push(task);
  }
  const [one = Number.NaN, other = Number.NaN] = [percentile(bare, 0.5), percentile(tasks, 0.5)];
  return [
    figure('warm hello, the client alone, p50', 'ms', one),
    figure('warm hello as a task, p50', 'ms', other),
    figure('warm hello, more than the client alone', '%', (other / one - 1) * 100, { budget: 5 }),
  ];
}

/** The code prints the time; the sandbox's clock is this machine's. */
async function firstOutput(stage: TaskStage): Promise<Figure[]> {
  const late: number[] = [];
  const code = 'import time\nfor i in range(10):\n  print(time.time(), flush=True)\n  time.sleep(.15)';
  for (let round = 0; round < 5; round++) {
    const { id } = await submit(stage, code);
    await follow(stage, id, (text) => {
      for (const line of text.split('\n').filter((each) => each !== '')) late.push(Date.now() - Number(line) * 1_000);
    });
  }
  return [
    figure('from print to the page, p50', 'ms', percentile(late, 0.5)),
    figure('from print to the page, longest', 'ms', percentile(late, 1), { budget: 300 }),
  ];
}

async function together(stage: TaskStage): Promise<Figure[]> {
  const begun = performance.now();
  const ids = await Promise.all(Array.from({ length: atOnce }, async () => (await submit(stage, hello)).id));
  const ended = await Promise.all(ids.map((id) => follow(stage, id)));
  const seconds = (performance.now() - begun) / 1_000;
  const failed = ended.filter(({ state }) => state !== 'succeeded').length;
  return [
    figure(`${atOnce} tasks at once, all ended`, 's', seconds),
    figure(`${atOnce} tasks at once, not succeeded`, '', failed, { budget: 0 }),
  ];
}

async function claims(stage: TaskStage): Promise<Figure[]> {
  const cold = { ns: pool.ns, name: 'python-cold' };
  for (let round = 0; round < coldRounds; round++) await follow(stage, (await submit(stage, hello, { pool: cold })).id);
  const answer = await fetch(`${stage.url}/api/v1/tasks/claims`);
  return claimsReply
    .parse(await answer.json())
    .claims.flatMap(({ pool: { name }, origin, n, p50, p95 }) => [
      figure(`claim from ${name}, ${origin}, p50 of ${n}`, 'ms', p50),
      figure(`claim from ${name}, ${origin}, p95`, 'ms', p95),
    ]);
}

/** Numbers that look random and are the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Many tasks, some of them cancelled, some of their sandboxes deleted, and the console killed over and over. */
async function leaks(stage: TaskStage, count: number): Promise<Figure[]> {
  const random = numbers(7);
  const ids: string[] = [];
  let [crashes, cancels, kills] = [0, 0, 0];
  while (ids.length < count) {
    const code = `import time\nprint('begun')\ntime.sleep(${(random() * 1.5).toFixed(2)})`;
    const task = await submit(stage, code).catch(() => undefined);
    if (!task) continue;
    ids.push(task.id);
    const chance = random();
    if (chance < 0.25) {
      cancels += 1;
      const wait = random() * 2_000;
      void sleep(wait).then(() => send(stage, `tasks/${task.id}/cancel`, {}).catch(() => undefined));
    } else if (chance < 0.35) {
      kills += 1;
      const [victim] = await stage.claimed();
      if (victim !== undefined) await stage.kube(`${agents}/sandboxes/${victim}`, { method: 'DELETE' });
    }
    if (ids.length % 10 === 5) {
      crashes += 1;
      await sleep(random() * 1_500);
      await stage.killConsole();
      await stage.startConsole();
    }
  }
  const states = new Map<string, number>();
  await until(async () => {
    const answer = await fetch(`${stage.url}/api/v1/tasks?state=active&limit=1`);
    return tasksReply.parse(await answer.json()).tasks.length === 0;
  }, 300_000);
  for (const id of ids) {
    const answer = await fetch(`${stage.url}/api/v1/tasks/${id}`);
    const { state } = taskReply.parse(await answer.json()).task;
    states.set(state, (states.get(state) ?? 0) + 1);
  }
  // What a claim brought whose answer nobody heard is swept up within half a minute.
  await until(async () => (await stage.claimed()).length === 0, 90_000);
  await stage.isFull();
  say(
    `${[...states].map(([state, n]) => `${n} ${state}`).join(', ')}; ${cancels} cancels, ${kills} deletions, ${crashes} kills`,
  );
  const active = [...activeStates].reduce((sum, state) => sum + (states.get(state) ?? 0), 0);
  return [
    figure(`${count} tasks with ${crashes} kills of the console, still active`, '', active, { budget: 0 }),
    figure(`${count} tasks, claimed sandboxes left`, '', (await stage.claimed()).length, { budget: 0 }),
    figure(`${count} tasks, missing in the pool`, '', stock - (await stage.available()), { budget: 0 }),
  ];
}

/** What tasks cost, and that nothing which was claimed stays behind. @param count tasks of the last part */
export async function measureTasks(count: number): Promise<Figure[]> {
  say(
    `${cpus().length} cores, load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  const stage = await withProgress('Starting the embedded cluster and the console', () => TaskStage.set());
  return [
    figure('load average of the machine before', '', loadavg()[0]),
    ...(await withProgress('One task after the other', () => overhead(stage))),
    ...(await withProgress('What is printed', () => firstOutput(stage))),
    ...(await withProgress(`${atOnce} at once`, () => together(stage))),
    ...(await withProgress('Warm and cold claims', () => claims(stage))),
    ...(await withProgress(`${count} tasks, and a console that is killed`, () => leaks(stage, count))),
  ];
}

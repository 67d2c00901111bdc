import { z } from 'zod';
import { stepNames, type TaskDraft, taskRequest } from '@/lib/contracts/tasks';
import { readEnvironment } from '../env';
import { makeHistory } from '../history/database';
import { Cluster } from '../kube/cluster';
import { clusterConfig } from '../kube/config';
import { defaultTiming } from '../kube/timing';
import { E2b } from './e2b';
import { TaskStore } from './store';
import { Tasks } from './tasks';

/**
 * The tasks of a console in a process of its own, for tests that kill it. It submits one task, or goes on with what is there;
 * when the task comes to `dieAt` it ends as by SIGKILL, else it prints `ended` with the task.
 */
const { kubeconfig, dir, apiUrl, sandboxUrl, apiKey, code, dieAt } = z
  .object({
    kubeconfig: z.string(),
    dir: z.string(),
    apiUrl: z.string(),
    sandboxUrl: z.string(),
    apiKey: z.string(),
    /** Absent: what was left behind is gone on with. */
    code: z.string().optional(),
    dieAt: z.enum(stepNames).optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? 'null'));

const watch = new Cluster(clusterConfig(readEnvironment({ CONSOLE_KUBECONFIG: kubeconfig })), defaultTiming);
watch.start();
await watch.ready(10_000);
const store = new TaskStore(makeHistory(dir));
const tasks = new Tasks({
  context: {
    e2b: new E2b({ apiUrl, sandboxUrl, apiKey }),
    watch,
    secrets: [apiKey],
    now: Date.now,
    clusterNow: Date.now,
  },
  store,
  manager: apiUrl,
  atOnce: 4,
  perPerson: 4,
  keepDays: 14,
  isShared: false,
});
tasks.start();
if (code !== undefined) {
  const draft: TaskDraft = { pool: { ns: 'default', name: 'python' }, code, timeLimitSeconds: 60 };
  const submission = await tasks.submit('mara', taskRequest.parse(draft), []);
  const run = 'record' in submission ? tasks.run(submission.record.id) : undefined;
  const look = () => {
    const step = run?.record.steps.find(({ name }) => name === dieAt);
    if (step?.state !== 'running') return;
    if (dieAt !== 'run') process.kill(process.pid, 'SIGKILL');
    // What was printed shows that the code runs, and not only its step; it is looked for afterwards.
    if (run?.output?.counts.chunks) void run.stored(5_000).then(() => process.kill(process.pid, 'SIGKILL'));
  };
  run?.listen({ changed: look, printed: look });
  look();
}

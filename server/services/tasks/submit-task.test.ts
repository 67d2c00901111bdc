import { expect, it, vi } from 'vitest';
import { type TaskDraft, taskLimits, taskRequest } from '@/lib/contracts/tasks';
import { KubeError } from '@/server/kube/errors';
import { taskRecordOf } from '../../tasks/record.testing';
import type { TaskStore } from '../../tasks/store';
import type { Submission, Tasks } from '../../tasks/tasks';
import { fakeCluster } from '../testing/fake-cluster';
import { submitTask } from './submit-task';
import type { TasksContext } from './tasks-context';

const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');
const ask = (more: Partial<TaskDraft> = {}) =>
  taskRequest.parse({ pool: { ns: 'lab', name: 'python' }, code: 'print(1)', timeLimitSeconds: 60, ...more });

const earlier = taskRecordOf('task-000000000001', { pool: { ns: 'lab', name: 'python' } });

/** Tasks that take on whatever comes, and a store with the one earlier task, of a file as large as is allowed. */
function world(person = 'mara') {
  const { ctx, world: cluster } = fakeCluster();
  const submit = vi.fn(async (): Promise<Submission> => ({ record: earlier }));
  const tasks = { submit, run: () => undefined, ahead: () => undefined } as unknown as Tasks;
  const store = {
    find: async () => ({ ...earlier, person }),
    contents: { file: async () => Buffer.alloc(taskLimits.fileBytes) },
  } as unknown as TaskStore;
  const context: TasksContext = { ...ctx, tasks, store, scope: () => Promise.reject(new Error('not asked for')) };
  return { context, cluster, submit };
}

it('only whoever may create a SandboxClaim there gets a task taken on', async () => {
  const { context, cluster, submit } = world();
  const asked: unknown[] = [];
  cluster.allows = (right) => {
    asked.push(right);
    return false;
  };
  expect(await submitTask(context, ask())).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
  expect(asked).toMatchObject([{ verb: 'create', resource: 'sandboxclaims', namespace: 'lab' }]);
  expect(submit).not.toHaveBeenCalled();
});

it('nothing is claimed when the API server cannot be asked: the manager would not ask', async () => {
  const { context, submit } = world();
  context.cluster = {
    ...context.cluster,
    client: { request: () => Promise.reject(new KubeError({ cause: 'network', message: 'away' })) },
  };
  expect(await submitTask(context, ask())).toMatchObject({ ok: false, problem: { reason: 'claimUnchecked' } });
  expect(submit).not.toHaveBeenCalled();
});

it('files of another person’s task are not found, and those of one’s own count with the others', async () => {
  const reuse = { task: earlier.id, files: ['in.bin'] };
  const foreign = world('noor');
  expect(await submitTask(foreign.context, ask({ reuse }))).toMatchObject({
    ok: false,
    problem: { code: 'not_found', reason: 'taskUnknown' },
  });
  const own = world();
  expect(await submitTask(own.context, ask({ reuse }))).toMatchObject({ ok: true });
  own.submit.mockClear();
  const more = [{ name: 'more.bin', base64: base64(10) }];
  expect(await submitTask(own.context, ask({ reuse, files: more }))).toMatchObject({
    ok: false,
    problem: { code: 'malformed', fields: [{ field: 'files' }] },
  });
  expect(own.submit).not.toHaveBeenCalled();
});

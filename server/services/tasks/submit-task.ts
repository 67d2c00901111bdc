import 'server-only';
import { type TaskReply, type TaskRequest, taskFiles } from '@/lib/contracts/tasks';
import { can } from '../../access/can';
import type { TaskInputs } from '../../tasks/contents';
import { taskOf } from '../../tasks/record';
import type { Tasks } from '../../tasks/tasks';
import { recorded } from '../audited';
import { mayWrite } from '../gate';
import { ok, type Result, refuse } from '../result';
import { refusedByHistory } from '../upgrades/upgrade-context';
import { ownTask, setUp, type TasksContext } from './tasks-context';

const right = { verb: 'create', resource: 'sandboxclaims' } as const;

/**
 * Takes a task on. The claim is made with the console's key, so whether the person may claim there at all is asked of the API
 * server first: who may create a SandboxClaim in the pool's namespace may claim a sandbox of it. Nobody asks later, as the API
 * server does of other writes: without an answer nothing is claimed.
 */
export async function submitTask(ctx: TasksContext, asked: TaskRequest): Promise<Result<TaskReply>> {
  const found = setUp(ctx);
  if (!found.ok) return found;
  const { ns: namespace } = asked.pool;
  const allowed = await mayWrite(ctx, namespace, right);
  if (!allowed.ok) return allowed;
  const { state } = await can(ctx.cluster.client, ctx.principal, { group: 'agents.kruise.io', ...right, namespace });
  if (state !== 'allowed') return refuse('upstream_unavailable', 'claimUnchecked', { namespace }, { applied: 'no' });
  const files = await filesOf(ctx, asked);
  if (!files.ok) return files;
  const intent = {
    action: 'runTask',
    actor: ctx.principal.subject,
    object: { kind: 'SandboxSet', namespace: asked.pool.ns, name: asked.pool.name, uid: '' },
    before: null,
    // The code is the person's own, and kept with the task.
    after: { timeLimitSeconds: asked.timeLimitSeconds, afterwards: asked.afterwards.do, files: files.value.length },
    summary: `${asked.code.length} B · ${asked.timeLimitSeconds} s`,
    requestId: ctx.requestId,
  };
  return recorded(ctx, intent, () => submit(ctx, found.value, asked, files.value));
}

async function submit(
  ctx: TasksContext,
  all: Tasks,
  asked: TaskRequest,
  files: TaskInputs['files'],
): Promise<Result<TaskReply>> {
  try {
    const submission = await all.submit(ctx.principal.subject, asked, files);
    if ('refused' in submission) {
      return refuse('rate_limited', 'tooManyTasks', { most: submission.most }, { applied: 'no' });
    }
    const { record } = submission;
    return ok({ task: taskOf(record, Date.now(), all.ahead(record.id)) });
  } catch (error) {
    return refusedByHistory(error);
  }
}

/** Uploaded ones, and those that are taken over from an earlier task. */
async function filesOf(ctx: TasksContext, { files, reuse }: TaskRequest): Promise<Result<TaskInputs['files']>> {
  if (!reuse || reuse.files.length === 0) return ok(files);
  const earlier = await ownTask(ctx, reuse.task);
  if (!earlier.ok) return earlier;
  const names = new Set(files.map(({ name }) => name));
  const taken: TaskInputs['files'] = [];
  try {
    for (const name of reuse.files.filter((each) => !names.has(each))) {
      const bytes = await ctx.store.contents.file(reuse.task, 'in', name);
      if (!bytes) return refuse('not_found', 'noSuchFile', { file: name }, { applied: 'no' });
      taken.push({ name, base64: bytes.toString('base64') });
    }
  } catch (error) {
    return refusedByHistory(error);
  }
  const all = taskFiles.safeParse([...taken, ...files]);
  if (all.success) return ok(all.data);
  const fields = all.error.issues.map(({ message }) => ({ field: 'files', message, reason: 'invalid' as const }));
  return refuse('malformed', 'invalidRequest', {}, { fields, applied: 'no' });
}

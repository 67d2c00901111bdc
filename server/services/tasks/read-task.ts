import 'server-only';
import type { TaskReply } from '@/lib/contracts/tasks';
import { taskOf } from '../../tasks/record';
import { ok, type Result, refuse } from '../result';
import { refusedByHistory } from '../upgrades/upgrade-context';
import { ownTask, type TasksContext } from './tasks-context';

export async function readTask(ctx: TasksContext, id: string): Promise<Result<TaskReply>> {
  const found = await ownTask(ctx, id);
  if (!found.ok) return found;
  const ahead = 'missing' in ctx.tasks ? undefined : ctx.tasks.ahead(id);
  return ok({ task: taskOf(found.value, Date.now(), ahead) });
}

/** A file of the task as a download: never shown as a page of the console's own. */
export async function readTaskFile(
  ctx: TasksContext,
  id: string,
  side: 'in' | 'out',
  name: string,
): Promise<Result<never> | Response> {
  const found = await ownTask(ctx, id);
  if (!found.ok) return found;
  try {
    const bytes = await ctx.store.contents.file(id, side, name);
    if (!bytes) return refuse('not_found', 'noSuchFile', { file: name });
    return download(new Uint8Array(bytes), name.split('/').at(-1) ?? name);
  } catch (error) {
    return refusedByHistory(error);
  }
}

const chunksAtOnce = 200;

/** Everything that was printed, of one stream or of both as it came. */
export async function readTaskOutput(
  ctx: TasksContext,
  id: string,
  stream: 'out' | 'err' | undefined,
): Promise<Result<never> | Response> {
  const found = await ownTask(ctx, id);
  if (!found.ok) return found;
  const running = 'missing' in ctx.tasks ? undefined : ctx.tasks.run(id);
  await running?.stored(2_000);
  let seq = 0;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunks = await ctx.store.contents.output(id, seq, chunksAtOnce);
      seq = (chunks.at(-1)?.seq ?? seq) + 1;
      const text = chunks.map((chunk) => (stream === undefined || chunk.stream === stream ? chunk.text : '')).join('');
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (chunks.length < chunksAtOnce) controller.close();
      else if (text === '') await this.pull?.(controller);
    },
  });
  return download(body, `${id}${stream === undefined ? '' : `.${stream}`}.txt`);
}

function download(body: BodyInit, name: string): Response {
  return new Response(body, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${headerText(name)}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** As a header writes it, which takes a few characters for its own that an address does not. */
const headerText = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

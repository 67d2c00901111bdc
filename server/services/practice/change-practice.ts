import 'server-only';
import type { PracticeReply, PracticeRequest } from '@/lib/contracts/practice';
import { log } from '@/server/log';
import type { ServiceContext } from '../context';
import { type Result, refuse } from '../result';
import { askDoor, doorUrl } from './door';
import { readPractice } from './read-practice';

/**
 * Starts or ends something on the embedded cluster. It leaves the two lines of every write in the log; it is no change of an
 * object by the console, so it is not among the recent actions.
 */
export async function changePractice(ctx: ServiceContext, input: PracticeRequest): Promise<Result<PracticeReply>> {
  if (doorUrl() === undefined) return refuse('not_found', 'noPractice', {}, { applied: 'no' });
  const what = 'name' in input ? input.name : 'id' in input ? input.id : 'all';
  const intent = {
    action: input.do,
    actor: ctx.principal.subject,
    object: { kind: 'Practice', namespace: '', name: what, uid: '' },
    before: null,
    after: input,
    summary: what,
    requestId: ctx.requestId,
  };
  const id = ctx.audit.intend(intent);
  const done = await send(input);
  const result = done.ok ? 'accepted' : done.problem.applied === 'unknown' ? 'unknown' : 'refused';
  const line = { key: 'audit.outcome', id, ...intent, result };
  if (done.ok) log.info(line);
  else log.warn({ ...line, code: done.problem.code, message: done.problem.message });
  return done.ok ? readPractice() : done;
}

async function send(input: PracticeRequest): Promise<Result<unknown>> {
  switch (input.do) {
    case 'startScenario':
      return askDoor('POST', `/scenarios/${input.name}/start`);
    case 'endScenario':
      return askDoor('POST', `/scenarios/${input.name}/end`);
    case 'startFault': {
      const { name, params, seconds } = input;
      return askDoor('POST', `/faults/${name}`, { params, seconds });
    }
    case 'endFault':
      return askDoor('DELETE', `/faults/${input.id}`);
    case 'endAll':
      return endAll();
  }
}

/** Faults first: a scenario ends by way of the API server, which may be what is broken. */
async function endAll(): Promise<Result<unknown>> {
  const faults = await askDoor('DELETE', '/faults');
  if (!faults.ok) return faults;
  const now = await readPractice();
  if (!now.ok) return now;
  const running = now.value.scenarios.filter(({ phase }) => phase !== 'off');
  const ended = await Promise.all(running.map(({ name }) => askDoor('POST', `/scenarios/${name}/end`)));
  // One that ended by itself meanwhile is as wanted.
  return ended.find((one) => !one.ok && one.problem.code !== 'conflict') ?? faults;
}

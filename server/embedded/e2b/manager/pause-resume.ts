import { keyOf, type Sandbox } from '../../controllers/client/objects';
import { findCondition } from '../../controllers/rules/conditions';
import { annotation } from '../../controllers/rules/keys';
import { isReady } from '../../controllers/rules/state';
import { noContent, Refusal } from './answers';
import { answerWith, type Call, liveState, ofSandbox, resourceOf } from './call';
import { isReadyToUse } from './claim';
import { endsOfPause, endsOfResume, extendedEnds, resumeSeconds } from './ends';
import { retention } from './extensions';
import { secondsOf, secondsOr500 } from './requests';
import { changeSandbox } from './write';

/** Pausing and resuming are one write and a wait; a sandbox can get out of reach before either (pkg/utils at 0b72c83a). */
interface Turn {
  verb: 'pause' | 'resume';
  able: 'pausable' | 'resumable';
  /** Why it is not to be had. */
  whyNot: (sandbox: Sandbox) => string | undefined;
  done: (sandbox: Sandbox) => boolean;
  ms: number;
}

const pausing: Turn = {
  verb: 'pause',
  able: 'pausable',
  whyNot: (sandbox) => {
    const { phase } = sandbox.status ?? {};
    if (phase === 'Paused') return undefined;
    if (phase !== 'Running') return 'SandboxPhaseNotAllowed';
    return isReady(sandbox) ? undefined : 'SandboxIsRunningButNotReady';
  },
  done: ({ metadata, status }) => status?.observedGeneration === metadata.generation && isPaused(status),
  ms: 60_000,
};

const resuming: Turn = {
  verb: 'resume',
  able: 'resumable',
  whyNot: ({ metadata, spec, status }) => {
    if (metadata.deletionTimestamp !== undefined) return 'SandboxIsTerminating';
    if (Date.parse(spec.shutdownTime ?? '') < Date.now()) return 'ShutdownTimeReached';
    if (status?.phase === 'Resuming') return undefined;
    if (status?.phase === 'Running') return spec.paused === true ? 'SandboxIsPausing' : undefined;
    if (status?.phase !== 'Paused') return 'SandboxPhaseNotAllowed';
    return isPaused(status) ? undefined : 'SandboxIsPausing';
  },
  done: isReadyToUse,
  ms: 600_000,
};

const isPaused = (status: Sandbox['status']) => findCondition(status?.conditions, 'SandboxPaused')?.status === 'True';

/** `POST /sandboxes/{id}/pause`: waits until its Pod is gone. Pausing a paused one changes nothing. */
export const pauseSandbox = ofSandbox((call, sandbox) => {
  const header = call.headers['x-e2b-kruise-reserve-paused-sandbox-duration'];
  const reserve = header === undefined ? undefined : retention(String(header));
  return call.manager.metrics.measure('pause', sandbox.metadata.namespace, async () => {
    await changeSandbox(call.manager, sandbox, (now) => {
      possible(pausing, now);
      if (now.spec.paused === true) return undefined;
      return {
        ...(reserve === undefined ? {} : { metadata: { annotations: { [annotation.reservePaused]: reserve } } }),
        spec: { paused: true, ...endsOfPause(now, reserve) },
      };
    });
    await finished(pausing, call, sandbox);
    return noContent;
  });
});

/** `POST /sandboxes/{id}/connect`: 201 for one that had to be resumed, 200 and a later end for one that runs. */
export const connectSandbox = ofSandbox(async (call, sandbox) => {
  const seconds = secondsOf(call);
  if (liveState(sandbox) === 'running') {
    await extend(call, sandbox, seconds);
    return answerWith(call, 200, sandbox);
  }
  try {
    await resume(call, sandbox, seconds);
  } catch (error) {
    // This route tells a conflict as a mistake of the client, and knows no other code.
    throw error instanceof Refusal ? new Refusal(error.code === 409 ? 400 : 500, error.message) : error;
  }
  return answerWith(call, 201, sandbox);
});

/** `POST /sandboxes/{id}/resume`, deprecated: also a sandbox that runs gets at least five minutes more. */
export const resumeSandbox = ofSandbox(async (call, sandbox) => {
  const seconds = secondsOr500(call);
  if (liveState(sandbox) === 'running') await extend(call, sandbox, resumeSeconds(seconds));
  else await resume(call, sandbox, seconds);
  return noContent;
});

async function extend({ manager }: Call, sandbox: Sandbox, seconds: number): Promise<void> {
  await changeSandbox(manager, sandbox, (now) => {
    const spec = extendedEnds(now, seconds);
    return spec === undefined ? undefined : { spec };
  });
}

async function resume(call: Call, sandbox: Sandbox, seconds: number): Promise<void> {
  const { manager } = call;
  await manager.metrics.measure('resume', sandbox.metadata.namespace, async () => {
    await changeSandbox(manager, sandbox, (now) => {
      possible(resuming, now);
      return now.spec.paused === true ? { spec: { paused: null, ...endsOfResume(now, seconds) } } : undefined;
    });
    manager.runtimes.init(await finished(resuming, call, sandbox));
  });
}

/** @throws Refusal 409 */
function possible({ verb, able, whyNot }: Turn, sandbox: Sandbox): void {
  const reason = whyNot(sandbox);
  if (reason !== undefined) throw failed(verb, 409, `Conflict: sandbox is not ${able}, reason: ${reason}`, sandbox);
}

/** Resolves when it is done. @throws Refusal as soon as it cannot come, or after its time */
async function finished({ verb, able, whyNot, done, ms }: Turn, call: Call, sandbox: Sandbox): Promise<Sandbox> {
  const key = keyOf(sandbox);
  const { name, uid } = sandbox.metadata;
  const look = (now: Sandbox | undefined) => {
    if (now?.metadata.uid !== uid) return failed(verb, 404, `sandboxes.agents.kruise.io "${name}" not found`, sandbox);
    const reason = whyNot(now);
    if (reason !== undefined) return failed(verb, 500, `sandbox ${key} is not ${able}, reason: ${reason}`, sandbox);
    return done(now) ? now : undefined;
  };
  const settled = await call.manager.waits.until(key, look, { ms, signal: call.signal });
  if (settled === undefined) throw failed(verb, 500, 'object is not satisfied during double check', sandbox);
  if (settled instanceof Refusal) throw settled;
  return settled;
}

const failed = (verb: Turn['verb'], code: number, why: string, sandbox: Sandbox) =>
  new Refusal(code, `Failed to ${verb} sandbox: ${why}; ${resourceOf(sandbox)}`);

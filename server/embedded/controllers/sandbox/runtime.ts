import { setTimeout as sleep } from 'node:timers/promises';
import type { Hook, Sandbox } from '../client/objects';
import { annotation } from '../rules/keys';
import type { Switches } from '../switches';

const runtimeUrl = 'agents.kruise.io/runtime-url';
const defaultHookSeconds = 60;
// What starting a process in the sandbox takes (recorded: hook-timeout-and-unreachable 23.824 to 23.850).
const hookMs = 8;

/** The address that an operator's override names; nothing listens there. */
function overriddenAddress(sandbox: Sandbox): string | undefined {
  const url = sandbox.metadata.annotations?.[runtimeUrl];
  return url === undefined ? undefined : new URL(url).host;
}

/**
 * A hook in the stand-in runtime, scripted by its command: `fail` exits with 3, `slow` never answers, `die` loses the
 * connection, `wait4` takes 4 s. Resolves to the failure's message, undefined when it succeeded.
 */
export async function runHook(sandbox: Sandbox, hook: Hook, switches: Switches): Promise<string | undefined> {
  const command = (hook.exec?.command ?? []).join(' ');
  const fails = command.includes('fail') || switches.runtimeFails('hookFails', sandbox);
  const hangs = command.includes('slow') || switches.runtimeFails('hookHangs', sandbox);
  const broken = (why: string) => `hook execution error: ${why}, stderr: , stdout: `;
  const address = overriddenAddress(sandbox);
  if (address !== undefined) return broken(`unavailable: dial tcp ${address}: connect: connection refused`);
  await sleep(hookMs);
  if (fails) return 'hook failed with exit code 3, stderr: disk is full\n, stdout: checking\n';
  if (command.includes('die')) return broken('unavailable: runtime is shutting down');
  if (hangs) {
    await sleep((hook.timeoutSeconds ?? defaultHookSeconds) * 1000);
    return broken('deadline_exceeded: context deadline exceeded');
  }
  if (command.includes('wait4')) await sleep(4000);
  return undefined;
}

/** `/init` in the stand-in runtime; needed only when a claim left a request. Resolves to the failure's message. */
export async function initializeRuntime(sandbox: Sandbox, switches: Switches): Promise<string | undefined> {
  if (sandbox.metadata.annotations?.[annotation.initRequest] === undefined) return undefined;
  const broken = switches.runtimeFails('initFails', sandbox) ? `${sandbox.status?.podInfo?.podIP}:49983` : undefined;
  const address = broken ?? overriddenAddress(sandbox);
  return address === undefined
    ? undefined
    : `Post "http://${address}/init": dial tcp ${address}: connect: connection refused`;
}

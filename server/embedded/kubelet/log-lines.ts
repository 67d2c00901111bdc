import type { ContainerStatus, Pod } from '../controllers/client/objects';

/** A line that a container wrote, and when (epoch milliseconds). */
export interface LogLine {
  at: number;
  text: string;
}

/** Why there is no log; the words are the kubelet's. */
export class NoLog extends Error {}

const beatMs = 10_000;
/** Older lines have been rotated away. */
const mostBeats = 5_000;
const pullFailures = ['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull'];

interface Run {
  startedAt: number;
  finishedAt?: number;
  exitCode?: number;
}

type Times = { startedAt?: unknown; finishedAt?: unknown; exitCode?: unknown };

function runOf({ startedAt, finishedAt, exitCode }: Times): Run {
  return {
    startedAt: Date.parse(String(startedAt)),
    ...(finishedAt === undefined ? {} : { finishedAt: Date.parse(String(finishedAt)) }),
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
  };
}

function statusOf(pod: Pod, container: string): ContainerStatus | undefined {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  return statuses.find(({ name }) => name === container);
}

/** The run of a container whose log is wanted: the present or last one, or the one before. @throws {NoLog} */
function wantedRun(pod: Pod, container: string, previous: boolean): Run {
  const status = statusOf(pod, container);
  const where = `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)}`;
  const last = (status?.lastState as { terminated?: Times } | undefined)?.terminated;
  if (previous) {
    if (last === undefined) throw new NoLog(`previous terminated ${where} not found`);
    return runOf(last);
  }
  const present = status?.state?.running ?? status?.state?.terminated ?? last;
  if (present !== undefined) return runOf(present);
  const reason = status?.state?.waiting?.reason ?? 'ContainerCreating';
  const why = pullFailures.includes(reason) ? 'trying and failing to pull image' : reason;
  throw new NoLog(`${where} is waiting to start: ${why}`);
}

/** What a simulated container has written until `now`: it starts, says that it lives, and says why it ends. */
export function logLines(pod: Pod, container: string, previous: boolean, now: number): LogLine[] {
  const { startedAt, finishedAt, exitCode = 0 } = wantedRun(pod, container, previous);
  const image = statusOf(pod, container)?.image ?? '';
  const lines = [
    { at: startedAt, text: `simulated container ${container} of ${pod.metadata.name} starts (${image})` },
    { at: startedAt, text: exitCode === 0 ? 'ready' : 'preparing' },
  ];
  const end = Math.min(now, finishedAt ?? now);
  const beats = Math.floor((end - startedAt) / beatMs);
  for (let beat = Math.max(1, beats - mostBeats); beat <= beats; beat += 1) {
    lines.push({ at: startedAt + beat * beatMs, text: `alive for ${(beat * beatMs) / 1000} s` });
  }
  if (finishedAt !== undefined && finishedAt <= now) {
    lines.push({ at: finishedAt, text: exitCode === 0 ? 'done' : `fatal: simulated crash, exit code ${exitCode}` });
  }
  return lines;
}

/** Whether a container goes on writing. */
export const isRunning = (pod: Pod, container: string): boolean =>
  statusOf(pod, container)?.state?.running !== undefined;

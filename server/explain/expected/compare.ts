import type { FindingCode } from '@/lib/domain/diagnosis/codes';
import type { Verdict } from '@/lib/domain/diagnosis/verdict';
import { type Segment, segmentsOf } from './story';

/** Seconds that events of different kinds may be apart although they belong together. */
const slack = 0.3;
/** Times of objects are whole seconds, and the start of a recording is up to 1.4 s before the second zero of its events. */
const grain = 1.5;

/** What the controller waits for in the normal way: right without being named in a story, and then never more than a wait. */
const normalWaits: Readonly<Record<string, readonly FindingCode[]>> = {
  Creating: ['ControllerLag', 'PodMissing', 'ContainersStarting'],
  NotReady: ['ContainersStarting', 'ControllerLag'],
  Initialising: ['RuntimeInitPending', 'ContainersStarting'],
  Pausing: ['ControllerLag', 'OldPodTerminating', 'PodMissing'],
  // Un-paused, and not seen yet.
  Paused: ['ControllerLag'],
  Resuming: ['OldPodTerminating', 'PodMissing', 'ContainersStarting', 'ControllerLag'],
  Upgrading: ['OldPodTerminating', 'PodMissing', 'ContainersStarting', 'ControllerLag', 'WaitingForPatch'],
  Terminating: ['OldPodTerminating', 'FinalizerHeld'],
  // Between the lock of whoever deletes it and the delete.
  Available: ['Locked'],
  // An upgrade or a pause has deleted the Pod and not written so yet.
  Running: ['OldPodTerminating'],
  Claiming: ['ClaimWaits'],
};

/** Its newest spec has just been written. */
const poolWaits: readonly FindingCode[] = ['PoolNotSeen'];

const spoken = ({ state, stage, cause, never, hints, since }: Segment): string =>
  `${[state || '-', stage].filter(Boolean).join('/')} ${cause ?? ''}${never ? '!' : ''} ${hints.map((each) => `+${each}`).join(' ')} @${since ?? '?'}`;

function actual({ state, stage, cause, hints, since, severity }: Verdict, start: number): string {
  const at = since === undefined ? 'unknown' : ((since - start) / 1000).toFixed(1);
  return `${[state || '-', stage].filter(Boolean).join('/')} ${cause ? `${cause.code}(${cause.kind})` : ''}${cause?.never ? '!' : ''} ${hints.map(({ code }) => `+${code}`).join(' ')} @${at} ${severity}`;
}

function fits(verdict: Verdict, segment: Segment, start: number): boolean {
  const { state, stage, cause, hints, severity, since } = verdict;
  const isPool = segment.state === '*';
  if (!isPool && (state !== segment.state || stage !== segment.stage)) return false;
  const told = hints.map(({ code }) => code).sort();
  if (told.join() !== [...segment.hints].sort().join()) return false;
  const apart = since !== undefined && segment.since !== undefined ? (since - start) / 1000 - segment.since : undefined;
  // A lock that goes with its holder in a moment has a clock of its own.
  const timed = !isPool && !(cause?.code === 'Locked' && segment.cause === undefined);
  if (timed && (apart === undefined ? since !== segment.since : Math.abs(apart) > grain)) return false;
  if (segment.cause !== undefined) {
    return cause?.code === segment.cause && cause.never === segment.never && (!segment.never || severity === 'breach');
  }
  if (severity !== 'calm') return false;
  const normal = isPool ? poolWaits : (normalWaits[state] ?? []);
  return cause === undefined || (cause.kind === 'wait' && normal.includes(cause.code));
}

/**
 * What is wrong with a verdict at a second of a recording by the story of its object; undefined when it fits.
 * @param start epoch ms of the recording
 */
export function disagreement(
  verdict: Verdict,
  story: string | undefined,
  at: number,
  start: number,
): string | undefined {
  const head = `${verdict.subject.name} ${at.toFixed(2)}: `;
  if (story === undefined) return `${head}is in no story`;
  const segments = segmentsOf(story);
  const near = segments.filter(
    (segment, index) => segment.at <= at + slack && (segments[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= at - slack,
  );
  if (near.some((segment) => fits(verdict, segment, start))) return undefined;
  return `${head}told ${actual(verdict, start)} for ${near.map(spoken).join(' or ') || 'nothing yet'}`;
}

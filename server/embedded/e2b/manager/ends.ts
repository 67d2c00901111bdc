import type { Sandbox } from '../../controllers/client/objects';
import { timestamp } from '../../controllers/rules/conditions';
import { annotation } from '../../controllers/rules/keys';
import { durationMs } from '../../controllers/rules/quantities';
import { Refusal } from './answers';

export const defaultTimeout = 300;
const leastCreate = 30;
const most = 2_592_000;
/** A resume gives at least this many seconds. */
const leastResume = 300;
const forever = '0001-01-01T00:00:00Z';
const hundredYearsMs = 100 * 365 * 24 * 3_600_000;

/** When a sandbox ends: what a write puts into its spec. */
export interface Ends {
  shutdownTime?: string;
  pauseTime?: string;
}

export function checkedCreateTimeout(timeout: number): number {
  if (timeout === 0) return defaultTimeout;
  if (timeout < leastCreate || timeout > most)
    throw new Refusal(400, `timeout should between ${leastCreate} and ${most}`);
  return timeout;
}

export function checkedTimeout(timeout: number): number {
  if (timeout <= 0 || timeout > most) throw new Refusal(400, `timeout should between 0 and ${most}`);
  return timeout;
}

/** Go duration, or `forever`, which is 100 years. */
const retentionMs = (text: string | undefined): number => durationMs(text) ?? hundredYearsMs;

/** It ends at that moment, or pauses then and ends after its retention. */
function endsAt(at: number, autoPause: boolean, retention: string | undefined): Ends {
  if (!autoPause) return { shutdownTime: timestamp(at) };
  return { pauseTime: timestamp(at), shutdownTime: timestamp(at + retentionMs(retention)) };
}

export function endsOfCreate(seconds: number, autoPause: boolean, never: boolean, retention: string): Ends {
  return never ? {} : endsAt(Date.now() + seconds * 1000, autoPause, retention);
}

const retentionOf = ({ metadata }: Sandbox) => metadata.annotations?.[annotation.reservePaused];
/** Upstream keeps no note of it: who has a time to pause at is one that pauses by itself. */
const pausesItself = ({ spec }: Sandbox) => spec.pauseTime !== undefined;

const endsEver = ({ spec }: Sandbox) => (spec.pauseTime ?? spec.shutdownTime) !== undefined;

/** From now on, also when that is earlier than before; undefined for one that never ends. */
export const newEnds = (sandbox: Sandbox, seconds: number): Ends | undefined =>
  endsEver(sandbox) ? endsAt(Date.now() + seconds * 1000, pausesItself(sandbox), retentionOf(sandbox)) : undefined;

/** Undefined when it lives that long anyway, or for ever. */
export function extendedEnds(sandbox: Sandbox, seconds: number): Ends | undefined {
  const end = sandbox.spec.pauseTime ?? sandbox.spec.shutdownTime;
  if (end === undefined || Date.parse(end) >= Math.floor(Date.now() / 1000 + seconds) * 1000) return undefined;
  return newEnds(sandbox, seconds);
}

/** A resume by the deprecated route, of a sandbox that runs. */
export const resumeSeconds = (seconds: number): number => Math.max(seconds, leastResume);

/** Of one that is woken up; nothing for one that never ends. */
export const endsOfResume = (sandbox: Sandbox, seconds: number): Ends => newEnds(sandbox, resumeSeconds(seconds)) ?? {};

/** Of one that is paused: it stays for its retention; both times are the same. */
export function endsOfPause(sandbox: Sandbox, retention = retentionOf(sandbox)): Ends {
  if (sandbox.spec.shutdownTime === undefined) return {};
  const at = timestamp(Date.now() + retentionMs(retention));
  return { shutdownTime: at, ...(pausesItself(sandbox) ? { pauseTime: at } : {}) };
}

/** As answers tell it. */
export const endOf = ({ spec }: Sandbox): string => spec.pauseTime ?? spec.shutdownTime ?? forever;

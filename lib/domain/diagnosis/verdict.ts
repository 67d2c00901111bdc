import type { SinceSource } from '@/lib/contracts/rows';
import type { ImageKind } from '../images';
import type { Severity } from '../severity';
import type { FindingCode } from './codes';
import type { Step } from './steps';

/**
 * certain: the object says so itself, or two compared values do. likely: one observation points there.
 * possible: nothing else is left, or something is missing where it should be.
 */
export type Confidence = 'certain' | 'likely' | 'possible';

/** wait: the normal way, wrong only when it lasts. fault: somebody has to act. hint: worth knowing, holds nothing up. */
export type FindingKind = 'wait' | 'fault' | 'hint';

/** One value of an object, redacted: `Pod status.initContainerStatuses[agent-runtime].image`. */
export interface Evidence {
  path: string;
  value: string;
}

export interface Finding {
  code: FindingCode;
  kind: FindingKind;
  confidence: Confidence;
  /** Waiting cannot help: the gate compares values that can never become equal. */
  never: boolean;
  evidence: Evidence[];
  /** Safest first. */
  steps: Step[];
  /** What seems to help and does not. */
  useless: Step[];
}

/** unknown: the objects at hand do not say. */
export type GateOutcome = 'passed' | 'failed' | 'waiting' | 'notReached' | 'unknown';

export interface ComparedSide {
  written: string;
  readAs: string;
  /** A name to pull by and an id of content are different kinds: comparing them says nothing about what runs. */
  kind: ImageKind;
}

/** Two values that the controller compares, as written and as it reads them. */
export interface Compared {
  name: string;
  spec: ComparedSide;
  status: ComparedSide;
  equal: boolean;
}

export interface GateResult {
  code: string;
  outcome: GateOutcome;
  evidence: Evidence[];
  compared: Compared[];
}

/** A value this console does not know: shown as it is, never taken for healthy. */
export interface UnknownValue {
  path: string;
  value: string;
}

export interface Limit {
  warnMs: number;
  breachMs: number;
  /** How far past the line that was passed last; absent when none was. */
  overMs?: number;
}

export interface Verdict {
  subject: { kind: string; ns: string; name: string; uid: string };
  /** The state the console shows, or the phase as written for other kinds; '' when there is none. */
  state: string;
  stage?: string;
  /** Epoch ms of the clock of `now`; absent when the start is unknown. */
  since?: number;
  clock: SinceSource;
  dwellMs?: number;
  /** Milliseconds by which its start lies ahead of `now`: the clocks differ, and every duration is in doubt by that much. */
  aheadMs?: number;
  /** The state may have begun earlier. */
  atLeast: boolean;
  limit?: Limit;
  severity: Severity;
  /** In the controller's order; empty for what has none. */
  gates: GateResult[];
  cause?: Finding;
  /** What else is worth knowing; holds nothing up. */
  hints: Finding[];
  /** Codes of the rules that were asked, in order: what "no cause found" means. */
  checked: FindingCode[];
  /** Of what was not given, so that rules kept silent: `Pod`, `Events`, … */
  missing: string[];
  unknown: UnknownValue[];
}

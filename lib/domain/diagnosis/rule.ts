import { redactText } from '../redact';
import { cutText, visibleText } from '../text';
import type { FindingCode } from './codes';
import type { Step } from './steps';
import type { Confidence, Evidence, Finding, FindingKind } from './verdict';

/** One thing that can be wrong. It is silent when its evidence is missing. `S` is what it looks at. */
export interface Rule<S> {
  code: FindingCode;
  kind: FindingKind;
  confidence: Confidence;
  applies(scene: S): boolean;
  /** One line for a row, in the cluster's own words. */
  detail?(scene: S): string | undefined;
  /** The image that it is about, as the spec names it, short enough for a row. */
  image?(scene: S): string | undefined;
  never?(scene: S): boolean;
  evidence(scene: S): (Evidence | undefined)[];
  steps(scene: S): Step[];
  useless?(scene: S): Step[];
}

export function findingOf<S>(rule: Rule<S>, scene: S): Finding {
  return {
    code: rule.code,
    kind: rule.kind,
    confidence: rule.confidence,
    never: rule.never?.(scene) ?? false,
    evidence: present(rule.evidence(scene)),
    steps: rule.steps(scene),
    useless: rule.useless?.(scene) ?? [],
  };
}

export function present<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}

/** What the controller writes at most into a condition. */
const longest = 1024;

/** A value and where it stands; undefined when it is not there. Credentials are masked, hidden characters made visible. */
export function said(path: string, value: string | number | boolean | undefined): Evidence | undefined {
  if (value === undefined || value === '') return undefined;
  return { path, value: visibleText(redactText(cutText(String(value).trim(), longest))) };
}

/** Moments are written as Kubernetes writes them. */
export function saidTime(path: string, ms: number | undefined): Evidence | undefined {
  return ms === undefined ? undefined : said(path, new Date(ms).toISOString().replace('.000Z', 'Z'));
}

/** What came of one check. */
export interface Result {
  suite: 'api' | 'recordings' | 'documents' | 'fuzz';
  /** Where the check comes from: a theme of requests, or a file. */
  group: string;
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Differences of a failed check, the reason of a skipped one. */
  details: readonly string[];
}

export type Report = (result: Result) => void;

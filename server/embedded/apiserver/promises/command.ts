export const HOLD = 'promises.example/hold';

/** What is done next. Not everything said counts for everything done. */
export interface Command {
  do:
    | ('create' | 'merge' | 'json' | 'status' | 'scale' | 'delete' | 'wrong' | 'burst')
    | ('pause' | 'resume' | 'endWatches' | 'compact');
  name: string;
  patch: { labels?: Record<string, string | null>; finalizers?: string[]; replicas?: number };
  replicas: number;
  /** What a writer says of the version that it has read. */
  basis: 'none' | 'current' | 'stale';
  dryRun: boolean;
}

import 'server-only';
import type { Generated } from 'kysely';
import type { SinceSource } from '@/lib/contracts/rows';
import type { TaskState } from '@/lib/contracts/tasks';

/** A Pod template by its content; whole, so never to be logged or sent. */
type TemplateTable = {
  /** Of the content, whatever the order of its keys. */
  hash: string;
  /** JSON. */
  text: string;
};

/** What an operation did to a sandbox, as far as it was seen. Times are epoch ms of the cluster's clock. */
export type AdoptionTable = {
  op_uid: string;
  sandbox_uid: string;
  sandbox_name: string;
  namespace: string;
  op_name: string;
  at: number;
  /** Hashes into `template`; null: not known. */
  before: string | null;
  after: string | null;
  /** JSON of {@link SeenPods}. */
  pods: string;
  /** JSON of the contract's UpgradeRecord; null: stored by a version that kept none. */
  record: string | null;
};

/** Pods of a sandbox under an operation: the one there was, and the one that came. */
export type SeenPods = {
  before?: { uid: string; node?: string | undefined; gone?: number | undefined } | undefined;
  after?: { uid: string; node?: string | undefined; since?: number | undefined } | undefined;
};

type GuardTable = {
  /** Also in an annotation of the operation, which is how one is found again that was created before it was bound. */
  id: string;
  namespace: string;
  op_name: string;
  /** Null until the operation is known to exist. */
  op_uid: string | null;
  /** JSON of the contract's GuardLimits. */
  limits: string;
  state: 'armed' | 'fired' | 'failed';
  /** JSON of the Principal who set it, and as whom it acts. */
  principal: string;
  set_at: number;
  fired_at: number | null;
  problem: string | null;
  /** Until then one process acts for it, unless it says before what came of that. */
  acting_until: number | null;
};

/** Where a sandbox can stay: what a stay has in common with many others, stored once. Absent parts are ''. */
export type PlaceTable = {
  id: Generated<number>;
  namespace: string;
  pool: string;
  node: string;
  revision: string;
  state: string;
  stage: string;
  gate: string;
};

/** A stay of a sandbox in a place. Durations in ms; {@link unknownMs}: its start or end was not seen. */
export type StayTable = {
  sandbox_uid: string;
  /** When the console first saw it, epoch ms of the cluster's clock; increases from stay to stay of a sandbox. */
  seen: number;
  place: number;
  /** Epoch ms; null: unknown. */
  begun: number | null;
  begun_from: SinceSource;
  /** Start of its state and of its stage, which may have begun in an earlier place. */
  state_begun: number | null;
  stage_begun: number | null;
  /** Null: it is still there. Of a torn one, until when it was seen. */
  ended: number | null;
  /** 1: nobody saw it end. */
  torn: number;
  /** Null: it is still there. */
  ms: number | null;
  /** Of the whole stage and state; null: they went on in another place. */
  stage_ms: number | null;
  state_ms: number | null;
  pod_uid: string | null;
  cause: string | null;
  /** While no condition times its state: since when the console has seen it, at least, and the resourceVersion seen last. */
  observed_since: number | null;
  observed_version: string | null;
};

export const unknownMs = -1;

/** A stretch in which nobody watched, or nothing could be stored. */
type GapTable = { began: number; ended: number };

/** The one process that records; there is one row. */
type RecorderTable = {
  id: number;
  /** '' when it has stopped. */
  holder: string;
  /** Increases while it is alive. */
  beat: number;
  /** Up to here everything that was seen is stored. */
  stored: number;
  /** Nothing is kept of what was before. */
  since: number;
};

/** Sandboxes by pool and state, once in each minute. */
type PhaseSampleTable = {
  /** When they were counted. */
  at: number;
  namespace: string;
  /** JSON: by pool ('' for none), by state: how many, and how many of them overdue. */
  counts: string;
};

/** What somebody said of something stuck. */
type MarkTable = {
  id: string;
  namespace: string;
  /** JSON of the contract's MarkScope, its fields in one order: there is one mark a scope. */
  scope: string;
  kind: 'ack' | 'snooze';
  actor: string;
  at: number;
  until: number | null;
  note: string | null;
  version: number;
};

/** Limits that differ from the defaults; one row. */
type LimitsTable = {
  id: number;
  version: number;
  /** JSON of the contract's LimitSettings, as far as the other columns do not say it. */
  settings: string;
  actor: string;
  at: number;
};

/** A task. What is looked for has a column; the rest is in `record`. */
type TaskTable = {
  id: string;
  /** Subject of the Principal whose task it is. */
  person: string;
  /** The process that runs it; null: none. */
  runner: string | null;
  state: TaskState;
  namespace: string;
  pool: string;
  created_at: number;
  ended_at: number | null;
  /** ms; null: no sandbox came. */
  claim_ms: number | null;
  origin: 'warm' | 'cold' | null;
  /** Of everything that is stored of it. */
  bytes: number;
  /** JSON of TaskRecord (server/tasks/record). */
  record: string;
  /** What words are looked for in: what a person sees of it, folded (server/tasks/rows). */
  words: string;
  /** JSON of the values of its variables, for as long as it may have to be run; null then. */
  env: string | null;
  /** 1: somebody wants it to end, and told another process than the one that runs it. */
  cancelled: number;
};

/** What a task printed, in the order of arrival. */
type TaskOutputTable = {
  task: string;
  seq: number;
  at: number;
  stream: 'out' | 'err' /** JSON: a NUL is no text of PostgreSQL. */;
  text: string;
};

/** A file of a task: `in` was uploaded, `out` was written by it. */
type TaskFileTable = { task: string; side: 'in' | 'out'; name: string; base64: string };

/** One row a process that runs tasks. */
type TaskRunnerTable = { id: string /** Increases while it is alive. */; beat: number };

/** One row: what the sandboxes of all consoles on this database are known by. */
type InstallationTable = { id: number; name: string };

export type Tables = {
  task: TaskTable;
  task_output: TaskOutputTable;
  task_file: TaskFileTable;
  task_runner: TaskRunnerTable;
  installation: InstallationTable;
  template: TemplateTable;
  adoption: AdoptionTable;
  guard: GuardTable;
  place: PlaceTable;
  stay: StayTable;
  gap: GapTable;
  recorder: RecorderTable;
  phase_sample: PhaseSampleTable;
  mark: MarkTable;
  limits: LimitsTable;
};

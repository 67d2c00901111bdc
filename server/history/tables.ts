import 'server-only';

/** A Pod template by its content; whole, so never to be logged or sent. */
type TemplateTable = {
  /** Of the content, whatever the order of its keys. */
  hash: string;
  /** JSON. */
  text: string;
};

/** What an operation did to a sandbox, as far as it was seen. Times are epoch ms of the server. */
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
};

export type Tables = { template: TemplateTable; adoption: AdoptionTable; guard: GuardTable };

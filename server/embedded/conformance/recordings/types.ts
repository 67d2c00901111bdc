/** One thing about one object that the run did otherwise than the recording. */
export interface Difference {
  recording: string;
  /** `sandboxes box-1`; a generated name is written `web-*`. */
  object: string;
  /** Which fact: `life` (all that happened to the object, in order), `counts`, `events sandbox`, `step` … */
  fact: string;
  /** What only the recording has, in its order. */
  recorded: string[];
  /** What only the run has. */
  seen: string[];
  /** Why it may stay, from the list of known differences. Absent: it is not listed. */
  reason?: string;
}

export interface RecordingResult {
  name: string;
  /** How many facts were compared. */
  facts: number;
  differences: Difference[];
  /** It was run twice: what differed the first time and is not listed. */
  atFirst?: Difference[];
  /** Known differences that did not occur, so that their lines can be taken out of the list. */
  unused: string[];
}

/** Stops and starts the controllers that run on the cluster, as some recordings do. */
export interface ControllersHandle {
  stop(): Promise<void>;
  start(): Promise<void>;
}

import type { Group } from '../../faults/fault';
import type { Stage } from './stage';

/** Whether the objects show a trap, by its own rule of detection. */
export type Rule = (stage: Stage) => Promise<boolean>;

/** A situation that somebody on call should have seen once. It has a namespace of its own and ends when it is told to. */
export interface TrapScenario {
  title: string;
  group: Group;
  /** What one sees. */
  does: string;
  /** The traps of the domain reference (section 14) that it produces, each with the rule by which its objects show it. */
  traps: Readonly<Record<string, Rule>>;
  /** It changes the whole cluster, not only its own namespace. */
  wide?: boolean;
  /** It is about the embedded API server itself. */
  needsDoor?: boolean;
  /** Brings it about; resolves when it stands. */
  start(stage: Stage): Promise<void>;
}

import type { ApiConnection } from '../controllers/connect';

export interface ScenarioContext {
  api: ApiConnection;
  signal: AbortSignal;
  /** How many sandboxes a scenario that scales makes. */
  sandboxes?: number;
}

export interface Scenario {
  title: string;
  /** False: its objects are ready-made, and controllers would take them for broken. */
  controllers: boolean;
  /** Resolves when the situation stands, or, when it keeps moving, at the signal. */
  start(context: ScenarioContext): Promise<void>;
}

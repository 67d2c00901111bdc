import { Api } from '../controllers/client/api';
import type { ApiConnection } from '../controllers/connect';
import { simulatedNodes } from '../faults/cordon';
import { ControlError, groups } from '../faults/fault';
import type { Faults } from '../faults/registry';
import { ensureNamespace, ensureNodes, ensureRuntimes } from './objects';
import { namespaceOf, trapScenarios } from './traps/index';
import { removeNamespace, Stage } from './traps/stage';

/** `failed`: it did not come about; what is there of it goes when it is ended. */
export type ScenarioPhase = 'off' | 'starting' | 'standing' | 'failed' | 'ending';

export interface ScenarioState {
  phase: ScenarioPhase;
  /** Epoch milliseconds of its start. */
  since?: number;
  message?: string;
}

interface Running extends ScenarioState {
  stage: Stage;
  ending: AbortController;
  /** Settles when the start is over, whatever came of it. */
  started: Promise<void>;
  ended?: Promise<void>;
}

const fewNodes = 3;

/** The trap scenarios of one cluster, any number of them side by side. */
export class Scenarios {
  readonly #api: Api;
  readonly #running = new Map<string, Running>();

  constructor(
    connection: ApiConnection,
    readonly faults: Faults,
  ) {
    this.#api = new Api(connection);
  }

  list() {
    return Object.entries(trapScenarios).map(([name, one]) => ({
      name,
      title: one.title,
      group: one.group,
      groupTitle: groups[one.group],
      does: one.does,
      traps: Object.keys(one.traps),
      namespace: namespaceOf(name, one),
      wide: one.wide === true,
      ...this.state(name),
    }));
  }

  state(name: string): ScenarioState {
    const running = this.#running.get(name);
    if (running === undefined) return { phase: 'off' };
    const { phase, since, message } = running;
    return { phase, ...(since === undefined ? {} : { since }), ...(message === undefined ? {} : { message }) };
  }

  /** Where a running scenario happens. */
  stage = (name: string): Stage | undefined => this.#running.get(name)?.stage;

  /** Begins it; `started` settles when it stands or has failed. @throws ControlError when it cannot begin. */
  start(name: string): { started: Promise<void> } {
    const scenario = knownScenario(name);
    const known = this.#running.get(name);
    if (known !== undefined) throw new ControlError(409, `Scenario ${name} is ${known.phase} already.`);
    if (scenario.needsDoor === true && this.faults.targets.door === undefined) {
      throw new ControlError(409, `Scenario ${name} needs the embedded API server; this one is of another cluster.`);
    }
    const ending = new AbortController();
    const namespace = namespaceOf(name, scenario);
    const stage = new Stage(this.#api, namespace, this.faults, ending.signal, name, []);
    const running: Running = { phase: 'starting', since: Date.now(), stage, ending, started: Promise.resolve() };
    this.#running.set(name, running);
    running.started = this.#prepare(stage)
      .then(() => scenario.start(stage))
      .then(
        () => {
          if (running.phase === 'starting') running.phase = 'standing';
        },
        (error: unknown) => {
          if (running.phase !== 'starting') return;
          running.phase = 'failed';
          running.message = error instanceof Error ? error.message : String(error);
        },
      );
    return { started: running.started };
  }

  /** Ends it and takes away everything that it made. False when it is not running. @throws ControlError for an unknown one. */
  async end(name: string): Promise<boolean> {
    knownScenario(name);
    const running = this.#running.get(name);
    if (running === undefined) return false;
    running.ended ??= this.#takeDown(name, running);
    await running.ended;
    return true;
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.end(name)));
  }

  close(): void {
    for (const { ending } of this.#running.values()) ending.abort();
    this.#api.close();
  }

  async #prepare(stage: Stage): Promise<void> {
    await removeNamespace(this.#api, stage.namespace);
    await ensureNamespace(this.#api, stage.namespace);
    await ensureRuntimes(this.#api);
    if ((await simulatedNodes({ api: this.#api })).length === 0) await ensureNodes(this.#api, fewNodes);
  }

  async #takeDown(name: string, running: Running): Promise<void> {
    running.phase = 'ending';
    running.ending.abort();
    await running.started;
    try {
      await this.faults.endAll(name);
      for (const cleanUp of running.stage.cleanUps.reverse()) await cleanUp();
      await removeNamespace(this.#api, running.stage.namespace);
      this.#running.delete(name);
    } catch (error) {
      // What is left can be taken away by another end.
      delete running.ended;
      running.phase = 'failed';
      running.message = error instanceof Error ? error.message : String(error);
      throw new ControlError(503, `Scenario ${name} could not be ended: ${running.message}`);
    }
  }
}

function knownScenario(name: string) {
  const scenario = Object.hasOwn(trapScenarios, name) ? trapScenarios[name] : undefined;
  if (scenario !== undefined) return scenario;
  const known = Object.keys(trapScenarios);
  throw new ControlError(404, `There is no scenario "${name}". There are: ${known.join(', ')}.`, { known });
}

import { Api } from './controllers/client/api';
import type { ApiConnection } from './controllers/connect';
import type { Switches } from './controllers/switches';
import type { E2bDoor } from './e2b/start';
import type { ApiDoor } from './faults/api-door';
import { ControlError } from './faults/fault';
import { Faults } from './faults/registry';
import { type Options, portError, UsageError, wholeNumber } from './options';
import { defaultScenario, scenarios } from './scenarios/index';
import { Scenarios } from './scenarios/manager';
import type { Scenario } from './scenarios/scenario';
import { trapScenarios } from './scenarios/traps/index';

const seeList = 'What there is: npm run cluster -- --list';

export interface PracticeOptions {
  connection: ApiConnection;
  switches: Switches;
  controlPlane: boolean;
  door?: ApiDoor;
  e2b: E2bDoor | undefined;
}

/** What can be started and ended while a cluster runs. */
export class Practice {
  readonly faults: Faults;
  readonly scenarios: Scenarios;
  readonly #api: Api;
  #closeControl: () => Promise<void> = async () => undefined;

  constructor({ connection, switches, controlPlane, door, e2b }: PracticeOptions) {
    this.#api = new Api(connection);
    this.faults = new Faults({
      switches,
      api: this.#api,
      controlPlane,
      ...(door === undefined ? {} : { door }),
      ...(e2b === undefined ? {} : { e2b }),
    });
    this.scenarios = new Scenarios(connection, this.faults);
  }

  /** The end of the line that says that the cluster is ready; opens the control door if that was asked for. */
  async control(options: Options): Promise<string> {
    if (options['control-port'] === undefined) return '';
    const port = wholeNumber(options['control-port'], 'control-port', 65_535);
    const { startControl } = await import('./control/server');
    const control = await startControl(port, this.scenarios, this.faults).catch((error: unknown) => {
      throw portError(error, port, 'control-port');
    });
    this.#closeControl = control.close;
    return ` control=${control.url}`;
  }

  /** What the command line names: faults, then traps and what fills the whole cluster. */
  async begin(
    options: Options,
    situation: Scenario | undefined,
    connection: ApiConnection,
    signal: AbortSignal,
  ): Promise<void> {
    for (const { name, params } of faultsOf(options)) {
      await this.faults.start(name, params).catch((error: unknown) => {
        throw error instanceof ControlError ? new UsageError(error.message, seeList) : error;
      });
    }
    const traps = namesOf(options).filter((name) => name in trapScenarios);
    const { sandboxes } = options;
    const size = sandboxes === undefined ? {} : { sandboxes: wholeNumber(sandboxes, 'sandboxes', 1_000_000) };
    try {
      await Promise.all([
        ...traps.map((name) => this.#trap(name)),
        situation?.start({ api: connection, signal, ...size }),
      ]);
    } catch (error) {
      // A scenario that is cut short by the end of the cluster has not failed.
      if (!signal.aborted) throw error;
    }
  }

  async #trap(name: string): Promise<void> {
    await this.scenarios.start(name).started;
    const { phase, message } = this.scenarios.state(name);
    if (phase === 'failed') process.stderr.write(`scenario ${name}: ${message}\n`);
  }

  async close(): Promise<void> {
    await this.#closeControl();
    this.scenarios.close();
    this.#api.close();
  }
}

const namesOf = ({ scenario = defaultScenario }: Pick<Options, 'scenario'>): string[] =>
  scenario
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The scenario that fills the whole cluster, if one is named; of all names it is checked that they exist. */
export function situationOf(options: Pick<Options, 'scenario'>): Scenario | undefined {
  const names = namesOf(options);
  const unknown = names.find((name) => !(name in scenarios) && !(name in trapScenarios));
  if (unknown !== undefined) {
    const known = [...Object.keys(scenarios), ...Object.keys(trapScenarios)];
    throw new UsageError(`There is no scenario "${unknown}".`, `Choose from: ${known.join(', ')}`);
  }
  const [first, second] = names.filter((name) => name in scenarios);
  if (second !== undefined) {
    throw new UsageError(`${first} and ${second} would both fill the cluster.`, 'Name one of them.');
  }
  return first === undefined ? undefined : scenarios[first];
}

function faultsOf({ fault = [] }: Options): { name: string; params: unknown }[] {
  return fault.map((text) => {
    const [name = '', ...json] = text.split('=');
    try {
      return { name, params: json.length === 0 ? {} : JSON.parse(json.join('=')) };
    } catch {
      throw new UsageError(`--fault takes NAME or NAME=JSON, not "${text}".`, seeList);
    }
  });
}

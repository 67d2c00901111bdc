import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ControlError, type End, type FaultKind, type Targets } from './fault';
import { faultKinds } from './index';
import { later } from './later';

/** A fault at work. Times are epoch milliseconds. */
export interface ActiveFault {
  id: string;
  name: string;
  params: unknown;
  since: number;
  /** When it ends by itself. */
  until?: number;
  /** The scenario that started it, and ends it. */
  by?: string;
}

interface Kept {
  shown: ActiveFault;
  end: End;
  /** While it is being ended. */
  ending?: Promise<void> | undefined;
  leaveTimer: () => void;
}

const longestSeconds = 7 * 24 * 3600;

/** The faults of one cluster: any number at once, each until it is ended or its time is over. */
export class Faults {
  readonly #active = new Map<string, Kept>();
  /** Names of those that exist once and are just being started. */
  readonly #starting = new Set<string>();

  constructor(readonly targets: Targets) {}

  get active(): ActiveFault[] {
    return [...this.#active.values()].map(({ shown }) => shown);
  }

  /** @throws ControlError when there is no such fault, its parameters are wrong, or it exists once and is at work. */
  async start(name: string, params: unknown = {}, seconds?: number, by?: string): Promise<ActiveFault> {
    const kind = kindOf(name);
    const parsed = kind.params.safeParse(params);
    if (!parsed.success) throw wrongFields(`fault ${name}`, parsed.error);
    if (seconds !== undefined && !(seconds > 0 && seconds <= longestSeconds)) {
      throw new ControlError(400, `seconds: a number above 0 and up to ${longestSeconds}`, {
        fields: [{ field: 'seconds', message: `above 0 and up to ${longestSeconds}` }],
      });
    }
    if (kind.needsDoor === true && this.targets.door === undefined) {
      throw new ControlError(409, `Fault ${name} needs the embedded API server; this one is of another cluster.`);
    }
    if (kind.needsManager === true && this.targets.e2b === undefined) {
      throw new ControlError(409, `Fault ${name} needs a sandbox-manager; none runs here.`);
    }
    const end = await this.#begin(name, kind, parsed.data);
    const id = randomUUID().slice(0, 8);
    const since = Date.now();
    const lasts = Math.min(seconds ?? Infinity, kind.lasts?.(parsed.data) ?? Infinity);
    const until = lasts === Infinity ? {} : { until: since + lasts * 1000 };
    const shown: ActiveFault = { id, name, params: parsed.data, since, ...until, ...(by === undefined ? {} : { by }) };
    const leaveTimer =
      lasts === Infinity
        ? () => undefined
        : later(lasts * 1000, `fault ${name} could not be ended yet`, () => this.end(id));
    this.#active.set(id, { shown, end, leaveTimer });
    return shown;
  }

  async #begin(name: string, kind: FaultKind, params: unknown): Promise<End> {
    if (kind.once !== true) return kind.start(this.targets, params);
    if (this.#starting.has(name) || this.active.some((one) => one.name === name)) {
      throw new ControlError(409, `Fault ${name} is active already, and there can be one at a time. End it first.`);
    }
    this.#starting.add(name);
    try {
      return await kind.start(this.targets, params);
    } finally {
      this.#starting.delete(name);
    }
  }

  /** False when it is not at work (any more). Rejects when it could not be ended: then it is still at work. */
  async end(id: string): Promise<boolean> {
    const found = this.#active.get(id);
    if (found === undefined) return false;
    // Who ends it a second time meanwhile waits for the same end.
    found.ending ??= (async () => found.end())().finally(() => {
      found.ending = undefined;
    });
    await found.ending;
    found.leaveTimer();
    this.#active.delete(id);
    return true;
  }

  /**
   * Ends all, those of the API server first, by way of which the others end, and the newest first; those of one scenario
   * when it is named.
   * @throws ControlError that names those that could not be ended; all others are.
   */
  async endAll(by?: string): Promise<void> {
    const all = this.active.filter((one) => by === undefined || one.by === by).reverse();
    const failures: string[] = [];
    const ofApi = ({ name }: ActiveFault) => kindOf(name).needsDoor === true;
    for (const { id, name } of [...all.filter(ofApi), ...all.filter((one) => !ofApi(one))]) {
      await this.end(id).catch((error: unknown) => {
        failures.push(`${name} (${id}): ${error instanceof Error ? error.message : String(error)}`);
      });
    }
    if (failures.length === 0) return;
    throw new ControlError(503, `Still active, because they could not be ended: ${failures.join('; ')}`, {
      active: this.active.map(({ id }) => id),
    });
  }
}

function kindOf(name: string): FaultKind {
  const kind = Object.hasOwn(faultKinds, name) ? faultKinds[name] : undefined;
  if (kind !== undefined) return kind;
  const known = Object.keys(faultKinds);
  throw new ControlError(404, `There is no fault "${name}". There are: ${known.join(', ')}.`, { known });
}

/** What is wrong with a body, field by field. */
export function wrongFields(what: string, error: z.ZodError): ControlError {
  const fields = error.issues.map(({ path, message, ...issue }) => ({
    field: path.join('.') || ('keys' in issue && Array.isArray(issue.keys) ? issue.keys.join(', ') : ''),
    message,
  }));
  const text = fields.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ');
  return new ControlError(400, `The parameters of ${what} are wrong: ${text}.`, { fields });
}

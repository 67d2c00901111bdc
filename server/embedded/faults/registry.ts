import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ControlError, type End, type FaultKind, type Targets } from './fault';
import { faultKinds } from './index';

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

const longestSeconds = 7 * 24 * 3600;

/** The faults of one cluster: any number at once, each until it is ended or its time is over. */
export class Faults {
  readonly #active = new Map<string, { shown: ActiveFault; end: End; timer: NodeJS.Timeout | undefined }>();

  constructor(readonly targets: Targets) {}

  get active(): ActiveFault[] {
    return [...this.#active.values()].map(({ shown }) => shown);
  }

  /** @throws ControlError when there is no such fault, or its parameters are wrong. */
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
    const end = await kind.start(this.targets, parsed.data);
    const id = randomUUID().slice(0, 8);
    const since = Date.now();
    const until = seconds === undefined ? {} : { until: since + seconds * 1000 };
    const shown: ActiveFault = { id, name, params: parsed.data, since, ...until, ...(by === undefined ? {} : { by }) };
    const timer = seconds === undefined ? undefined : setTimeout(() => void this.end(id), seconds * 1000);
    this.#active.set(id, { shown, end, timer });
    return shown;
  }

  /** False when it is not at work (any more). */
  async end(id: string): Promise<boolean> {
    const found = this.#active.get(id);
    if (found === undefined) return false;
    this.#active.delete(id);
    clearTimeout(found.timer);
    await found.end();
    return true;
  }

  /** Ends all, the newest first; those of one scenario when it is named. */
  async endAll(by?: string): Promise<void> {
    const ids = this.active.filter((one) => by === undefined || one.by === by).map(({ id }) => id);
    for (const id of ids.reverse()) await this.end(id);
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

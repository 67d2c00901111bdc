import { labelKeyProblems, labelValueProblems } from '../../apiserver/core/names';
import { durationMs } from '../../controllers/rules/quantities';
import { quantity } from '../../controllers/rules/resources';
import { Refusal } from './answers';

const prefix = 'e2b.agents.kruise.io/';
const reserved = [prefix, 'agents.kruise.io/'];
const labelPrefix = 'label:';

/** What the metadata of a create asks for beside being kept. */
export interface Extensions {
  /** How long a sandbox is looked for; without end unless said. */
  claimTimeoutMs: number | undefined;
  waitReadyMs: number | undefined;
  image: string | undefined;
  cpu: { requests?: string; limits?: string };
  skipInitRuntime: boolean;
  createOnNoStock: boolean;
  neverTimeout: boolean;
  returnSandboxIp: boolean;
  /** What becomes of one that could not be used: kept for ever, for a while (milliseconds), or deleted. */
  reserveFailed: number | undefined;
  /** Go duration or `forever`. */
  reservePaused: string;
  labels: Record<string, string>;
  /** Metadata that is kept as annotations. */
  annotations: Record<string, string>;
}

const bad = (why: string) => new Refusal(400, `Bad extension param: ${why}`);

/** Splits the metadata of a create into what it asks for and what is kept. @throws Refusal 400 */
export function readExtensions(metadata: Record<string, string>): Extensions {
  const labels: Record<string, string> = {};
  const annotations: Record<string, string> = {};
  const asked = new Map<string, string>();
  for (const [key, value] of Object.entries(metadata)) {
    if (key.startsWith(labelPrefix)) labels[labelKey(key.slice(labelPrefix.length), value)] = value;
    else if (known.has(key.slice(prefix.length)) && key.startsWith(prefix)) asked.set(key.slice(prefix.length), value);
    else annotations[plainKey(key)] = value;
  }
  for (const name of asked.keys()) {
    const why = refused[name];
    if (why !== undefined) throw bad(`${prefix}${name}: ${why}`);
  }
  const cpu = (name: 'cpu-request' | 'cpu-limit') => {
    const amount = asked.get(name);
    if (amount !== undefined && !(quantity(amount) > 0)) throw bad(`invalid quantity [${amount}]`);
    return amount;
  };
  const requests = cpu('cpu-request');
  const limits = cpu('cpu-limit');
  return {
    claimTimeoutMs: secondsOf(asked.get('claim-timeout-seconds')),
    waitReadyMs: secondsOf(asked.get('wait-ready-timeout-seconds')),
    image: asked.get('image') || undefined,
    cpu: { ...(requests === undefined ? {} : { requests }), ...(limits === undefined ? {} : { limits }) },
    skipInitRuntime: asked.get('skip-init-runtime') === 'true',
    createOnNoStock: asked.get('create-on-no-stock') !== 'false',
    neverTimeout: asked.get('never-timeout') === 'true',
    returnSandboxIp: asked.get('return-sandbox-ip') === 'true',
    reserveFailed: reservation(asked.get('reserve-failed-sandbox'), asked.get('reserve-failed-sandbox-for')),
    reservePaused: retention(asked.get('reserve-paused-sandbox-duration')),
    labels,
    annotations,
  };
}

const known = new Set([
  'claim-timeout-seconds',
  'wait-ready-timeout-seconds',
  'image',
  'cpu-request',
  'cpu-limit',
  'skip-init-runtime',
  'create-on-no-stock',
  'never-timeout',
  'return-sandbox-ip',
  'reserve-failed-sandbox',
  'reserve-failed-sandbox-for',
  'reserve-paused-sandbox-duration',
  'csi-volume-config',
  'csi-volume-name',
  'csi-mount-point',
  'csi-subpath',
  'sandbox-name',
  'sandbox-generate-name',
]);

const noVolumes = 'volumes cannot be mounted by this sandbox-manager';
const clonesOnly = 'only a clone of a checkpoint can be named, and nothing here makes checkpoints';
const refused: Record<string, string | undefined> = {
  'csi-volume-config': noVolumes,
  'csi-volume-name': noVolumes,
  'csi-mount-point': noVolumes,
  'csi-subpath': noVolumes,
  'sandbox-name': clonesOnly,
  'sandbox-generate-name': clonesOnly,
};

function labelKey(key: string, value: string): string {
  if (labelKeyProblems(key).length > 0) throw bad(`invalid label name [${key}]`);
  if (labelValueProblems(value).length > 0) throw bad(`invalid label value [${value}]`);
  return key;
}

function plainKey(key: string): string {
  const [problem] = labelKeyProblems(key);
  if (problem !== undefined) throw new Refusal(400, `Unqualified metadata key [${key}]: ${problem}`);
  if (reserved.some((one) => key.startsWith(one)))
    throw new Refusal(400, `Forbidden metadata key [${key}]: cannot contain prefixes: [${reserved.join(' ')}]`);
  return key;
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw bad(`invalid number [${text}]: strconv.Atoi: parsing "${text}": invalid syntax`);
  return Number(text) * 1000;
}

/** Checks how long a paused sandbox stays; `forever` unless said. @throws Refusal 400 */
export function retention(text = 'forever'): string {
  if (text !== 'forever' && durationMs(text) === undefined) throw bad(`invalid duration [${text}]`);
  return text;
}

function reservation(flag: string | undefined, span: string | undefined): number | undefined {
  if (span === undefined) return flag === 'true' ? Number.POSITIVE_INFINITY : undefined;
  if (span === 'never') return undefined;
  if (span === 'forever') return Number.POSITIVE_INFINITY;
  const ms = durationMs(span);
  if (ms === undefined) throw bad(`invalid duration [${span}]`);
  return ms;
}

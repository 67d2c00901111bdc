/** What stands in place of a secret. A value that holds it is not the cluster's: never write or compare it. */
export const mask = '•••';

/** Annotations that carry live credentials or requests that embed them (domain 2.3). */
export const secretAnnotations: ReadonlySet<string> = new Set([
  'agents.kruise.io/runtime-access-token',
  'agents.kruise.io/init-runtime-request',
  'e2b.agents.kruise.io/envd-access-token',
  'e2b.agents.kruise.io/csi-volume-config',
  'security.agents.kruise.io/token-status',
]);
/** kubectl's copy of the whole object, secrets included. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const secretName =
  /token|secret|passw(or)?d|passphrase|credential|api[-_.]?key|access[-_.]?key|private[-_.]?key|auth(orization)?$/i;

/**
 * A copy without managedFields and last-applied, in which secrets are replaced by {@link mask}: the annotations
 * above, annotations and environment variables that are named like a secret, and texts that look like one.
 */
export function redactObject<T>(object: T): T {
  return copy(object, []) as T;
}

function copy(value: unknown, path: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) {
    const inEnv = path.at(-1) === 'env';
    return value.map((item) => (inEnv ? envEntry(item, path) : copy(item, path)));
  }
  if (typeof value !== 'object' || value === null) return value;
  const inAnnotations = path.at(-1) === 'annotations';
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (key === 'managedFields' || key === lastApplied) continue;
    const hidden = inAnnotations && (secretAnnotations.has(key) || (secretName.test(key) && isNoSwitch(item)));
    entries.push([key, hidden ? mask : copy(item, [...path, key])]);
  }
  return Object.fromEntries(entries);
}

function envEntry(item: unknown, path: readonly string[]): unknown {
  const entry = copy(item, path);
  if (!isNamed(entry) || !('value' in entry) || !secretName.test(entry.name)) return entry;
  return isNoSwitch(entry.value) ? { ...entry, value: mask } : entry;
}

/** "true", "false" and nothing are settings, whatever they are called. */
function isNoSwitch(value: unknown): boolean {
  return value !== '' && value !== 'true' && value !== 'false';
}

function isNamed(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const knownTokens =
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\bgh[pousr]_\w{20,}|\bsk-[\w-]{16,}|\be2b_[0-9a-f]{16,}|\bAKIA[0-9A-Z]{16}\b/g;
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g;
const names = '(?:token|secret|passw(?:or)?d|passphrase|api[-_]?key|access[-_]?key)';
const assigned = new RegExp(String.raw`(${names}["']?\s*(?:=\s*["']?|:["']?|:\s+["']))([^\s"',;&}]+)`, 'gi');
// After a colon and a space a sentence may go on ("access token: context deadline exceeded").
const spaced = new RegExp(String.raw`(${names}\s*:\s+)(?=\S*\d)[^\s"',;&}]{8,}`, 'gi');

/** The text with what looks like a credential masked: known token forms, bearer headers, `password=…`. */
export function redactText(text: string): string {
  return text
    .replace(privateKey, mask)
    .replace(knownTokens, mask)
    .replace(bearer, `$1 ${mask}`)
    .replace(assigned, `$1${mask}`)
    .replace(spaced, `$1${mask}`);
}

/** Whether a value holds a masked text anywhere. */
export function holdsMask(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(mask);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsMask);
}

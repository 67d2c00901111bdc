import type { ContainerChange, JsonPatchOp, PatchPoolTemplateRequest } from '@/lib/contracts/writes';
import { diffToPatch, isObject, sameJson } from './json-diff';

export { MaskedValueError } from './json-diff';

export type Template = Readonly<Record<string, unknown>>;
export type TemplateChange = PatchPoolTemplateRequest['change'];

const root = ['spec', 'template'] as const;

/** The change names a container that the template does not have. */
export class NoSuchContainerError extends Error {
  constructor(
    readonly container: string,
    readonly init: boolean,
  ) {
    super(container);
    this.name = 'NoSuchContainerError';
  }
}

/**
 * JSON Patch of a SandboxSet that brings /spec/template from what the person saw to what they want; [] when that is
 * the same. Custom resources know no strategic merge, and a merge patch of one container erases its siblings (T45).
 * Throws {@link NoSuchContainerError}, and MaskedValueError when a masked secret would be written back.
 */
export function buildTemplatePatch(before: Template, change: TemplateChange): JsonPatchOp[] {
  return diffToPatch(before, templateAfter(before, change), root);
}

/** The template as the change makes it; `before` is not touched. */
export function templateAfter(before: Template, change: TemplateChange): Template {
  if (change.by === 'yaml') return change.template;
  const after = structuredClone(before) as Record<string, unknown>;
  for (const container of change.containers) applyTo(after, container);
  return after;
}

function applyTo(template: Record<string, unknown>, change: ContainerChange): void {
  const spec = isObject(template.spec) ? template.spec : {};
  const list = change.init ? spec.initContainers : spec.containers;
  const container = Array.isArray(list)
    ? list.find((entry): entry is Record<string, unknown> => isObject(entry) && entry.name === change.name)
    : undefined;
  if (!container) throw new NoSuchContainerError(change.name, change.init);
  if (change.image !== undefined) container.image = change.image;
  if (change.env) applyEnv(container, change.env);
  applyResources(container, 'requests', change.requests);
  applyResources(container, 'limits', change.limits);
}

function applyEnv(container: Record<string, unknown>, changes: NonNullable<ContainerChange['env']>): void {
  const env: unknown[] = Array.isArray(container.env) ? [...container.env] : [];
  for (const { name, value } of changes) {
    const index = env.findIndex((entry) => isObject(entry) && entry.name === name);
    const entry = env[index];
    if (value === null) {
      if (index >= 0) env.splice(index, 1);
    } else if (index < 0) {
      env.push({ name, value });
    } else if (!isObject(entry) || (entry.value ?? '') !== value || 'valueFrom' in entry) {
      env[index] = { name, value };
    }
  }
  if (env.length > 0) container.env = env;
  else if (Array.isArray(container.env) && container.env.length > 0) delete container.env;
}

function applyResources(
  container: Record<string, unknown>,
  side: 'requests' | 'limits',
  change: Record<string, string> | undefined,
): void {
  if (!change || Object.keys(change).length === 0) return;
  const resources = isObject(container.resources) ? container.resources : {};
  const quantities = isObject(resources[side]) ? resources[side] : {};
  container.resources = { ...resources, [side]: { ...quantities, ...change } };
}

export interface TemplateDifference {
  /** As people write it: `spec.containers[python].image`. */
  path: string;
  kind: 'changed' | 'added' | 'removed';
  before?: unknown;
  after?: unknown;
}

/** What differs between two templates, leaf by leaf, in the order of the templates; [] when they are equal. */
export function templateDiff(before: Template, after: Template): TemplateDifference[] {
  const found: TemplateDifference[] = [];
  compare(before, after, '', found);
  return found;
}

function compare(before: unknown, after: unknown, path: string, found: TemplateDifference[]): void {
  if (sameJson(before, after)) return;
  const a = childrenOf(before);
  const b = childrenOf(after);
  if (!a || !b || a.kind !== b.kind) {
    found.push({ path, kind: 'changed', before, after });
    return;
  }
  const at = (key: string) => (a.kind === 'list' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`);
  for (const [key, value] of a.children) {
    if (b.children.has(key)) compare(value, b.children.get(key), at(key), found);
    else found.push({ path: at(key), kind: 'removed', before: value });
  }
  for (const [key, value] of b.children) {
    if (!a.children.has(key)) found.push({ path: at(key), kind: 'added', after: value });
  }
}

/** Entries of a list go by their name where they have one, else by their position. */
function childrenOf(value: unknown): { kind: 'object' | 'list'; children: Map<string, unknown> } | undefined {
  if (isObject(value)) return { kind: 'object', children: new Map(Object.entries(value)) };
  if (!Array.isArray(value)) return undefined;
  const names = value.map((entry, i) => (isObject(entry) && typeof entry.name === 'string' ? entry.name : String(i)));
  const unique = new Set(names).size === names.length;
  return {
    kind: 'list',
    children: new Map(value.map((entry, i) => [unique ? (names[i] ?? String(i)) : String(i), entry])),
  };
}

import { isDigestPinned } from '@/lib/domain/images';
import { isObject } from '@/lib/domain/json-diff';
import { holdsMask } from '@/lib/domain/redact';
import { withTag } from '@/lib/domain/sandbox-losses';
import type { Template } from '@/lib/domain/templates';

export type ContainerKey = { init: boolean; name: string };
export type EnvEntry = {
  name: string;
  value: string;
  /** The value is a reference (`valueFrom`) or hidden: it can be removed or replaced, not read. */
  kind: 'plain' | 'reference' | 'hidden';
};
export type ContainerView = ContainerKey & {
  image: string;
  env: EnvEntry[];
  resources: Record<'requests' | 'limits', Record<'cpu' | 'memory', string>>;
};

const listName = (init: boolean) => (init ? 'initContainers' : 'containers');

function containersOf(template: Template, init: boolean): Record<string, unknown>[] {
  const spec = isObject(template.spec) ? template.spec : {};
  const list = spec[listName(init)];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

function envEntry(entry: Record<string, unknown>): EnvEntry {
  const name = text(entry.name);
  if ('valueFrom' in entry) return { name, value: '', kind: 'reference' };
  if (holdsMask(entry.value)) return { name, value: '', kind: 'hidden' };
  return { name, value: text(entry.value), kind: 'plain' };
}

/** What the form shows of a template: main containers first. */
export function containerViews(template: Template): ContainerView[] {
  return [false, true].flatMap((init) =>
    containersOf(template, init).map((container) => {
      const resources = isObject(container.resources) ? container.resources : {};
      const side = (name: 'requests' | 'limits') => {
        const quantities = isObject(resources[name]) ? resources[name] : {};
        return { cpu: text(quantities.cpu), memory: text(quantities.memory) };
      };
      return {
        init,
        name: text(container.name),
        image: text(container.image),
        env: (Array.isArray(container.env) ? container.env : []).filter(isObject).map(envEntry),
        resources: { requests: side('requests'), limits: side('limits') },
      };
    }),
  );
}

/** One edit of one container; everything that it does not name stays as it is. */
export type Edit =
  | { what: 'image'; image: string }
  | { what: 'resource'; side: 'requests' | 'limits'; resource: 'cpu' | 'memory'; quantity: string }
  | { what: 'env'; index: number; name?: string; value?: string }
  | { what: 'addEnv' }
  | { what: 'removeEnv'; index: number };

export function editContainer(template: Template, key: ContainerKey, edit: Edit): Template {
  const spec = isObject(template.spec) ? template.spec : {};
  const list = spec[listName(key.init)];
  if (!Array.isArray(list)) return template;
  const edited = list.map((c: unknown) => (isObject(c) && c.name === key.name ? applied(c, edit) : c));
  return { ...template, spec: { ...spec, [listName(key.init)]: edited } };
}

function applied(container: Record<string, unknown>, edit: Edit): Record<string, unknown> {
  if (edit.what === 'image') return { ...container, image: edit.image };
  if (edit.what === 'resource') return withQuantity(container, edit);
  const env: unknown[] = Array.isArray(container.env) ? container.env : [];
  const { env: _old, ...rest } = container;
  const next = changedEnv(env, edit);
  return next.length > 0 ? { ...container, env: next } : rest;
}

function changedEnv(env: unknown[], edit: Exclude<Edit, { what: 'image' | 'resource' }>): unknown[] {
  if (edit.what === 'addEnv') return [...env, { name: '', value: '' }];
  if (edit.what === 'removeEnv') return env.filter((_, i) => i !== edit.index);
  return env.map((entry, i) => {
    if (i !== edit.index || !isObject(entry)) return entry;
    const named = { ...entry, ...(edit.name === undefined ? {} : { name: edit.name }) };
    if (edit.value === undefined) return named;
    // A typed value takes the place of a reference.
    const { valueFrom: _reference, ...plain } = named as Record<string, unknown>;
    return { ...plain, value: edit.value };
  });
}

/** An empty quantity takes the entry away, and with the last one the side. */
function withQuantity(
  container: Record<string, unknown>,
  { side, resource, quantity }: Extract<Edit, { what: 'resource' }>,
): Record<string, unknown> {
  const resources = isObject(container.resources) ? container.resources : {};
  const before = isObject(resources[side]) ? resources[side] : {};
  const { [resource]: _old, ...others } = before;
  const quantities = quantity === '' ? others : { ...before, [resource]: quantity };
  const { [side]: _side, ...otherSides } = resources;
  const kept = Object.keys(quantities).length > 0 ? { ...resources, [side]: quantities } : otherSides;
  return { ...container, resources: kept };
}

/** Tags in the place of init images that are pinned by digest, which may strand a sandbox in Resuming (domain T1). */
export function withTags(template: Template): Template {
  return containerViews(template)
    .filter(({ init, image }) => init && isDigestPinned(image))
    .reduce((next, key) => editContainer(next, key, { what: 'image', image: withTag(key.image) }), template);
}

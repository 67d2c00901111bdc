import { z } from 'zod';
import { type Api, isNotFound } from '../client/api';
import type { Container, PodTemplate } from '../client/objects';
import { objectPath, resources } from '../client/resources';
import { type Injection, injectionSchema, intoMain, missingFrom } from './injection';

/** The ConfigMap of the installation that holds one template a runtime; without it no runtime can be injected. */
export const injectionConfig = { metadata: { name: 'sandbox-injection-config', namespace: 'sandbox-system' } };

const configSchema = z.looseObject({ data: z.record(z.string(), z.string()).optional() });

/** They come first, in this order, whatever the order in the sandbox; so the order of init containers is always the same. */
const builtIn = ['agent-runtime', 'csi'];

/**
 * Puts the runtimes of a sandbox into its Pod: first the built-in ones, whose sidecars (native sidecars among the init
 * containers) are skipped when the template has one of that name, then the others in their order.
 * @throws Error for a runtime without a template, or one whose names are taken: the Pod is not created.
 */
export async function injectRuntimes(
  api: Api,
  template: PodTemplate,
  runtimes: { name: string }[] | undefined,
): Promise<PodTemplate> {
  if (runtimes === undefined || runtimes.length === 0) return template;
  const data = await injectionTemplates(api);
  const asked = new Set(runtimes.map(({ name }) => name));
  const others = [...asked].filter((name) => !builtIn.includes(name));
  let result = template;
  for (const name of [...builtIn.filter((one) => asked.has(one)), ...others]) {
    const text = data[name] ?? '';
    if (text === '') throw new Error(`injection template ${name} not found`);
    const injection = injectionSchema.parse(JSON.parse(text));
    result = builtIn.includes(name) ? withSidecars(result, injection, name) : merged(result, injection, name);
  }
  return result;
}

const names = (list: { name: string }[] | undefined): Set<string> => new Set((list ?? []).map(({ name }) => name));

/** A built-in runtime: its sidecars, what it wants of the first container, and its volumes. */
function withSidecars(template: PodTemplate, injection: Injection, runtime: string): PodTemplate {
  const { initContainers = [], containers = [], volumes = [], ...spec } = template.spec ?? {};
  const { csiSidecar = [], volume = [], mainContainer } = injection;
  const present = names([...initContainers, ...containers]);
  if (csiSidecar.some(({ name }) => present.has(name))) return template;
  const [main, ...more] = containers;
  const added = runtime === 'csi' ? missingFrom(volumes, volume) : volume;
  const all = [...volumes, ...added];
  return {
    ...template,
    spec: {
      ...spec,
      initContainers: [...initContainers, ...csiSidecar],
      ...(main === undefined
        ? { containers }
        : { containers: [intoMain(main, mainContainer, runtime === 'csi'), ...more] }),
      ...(all.length === 0 ? {} : { volumes: all }),
    },
  };
}

/** Any other runtime: what it brings is added, the user's labels and annotations win. */
function merged(template: PodTemplate, injection: Injection, runtime: string): PodTemplate {
  const { metadata, spec = {} } = template;
  const added: [string, { name: string }[] | undefined, { name: string }[] | undefined][] = [
    ['init container', spec.initContainers, injection.initContainers],
    ['container', spec.containers, injection.containers],
    ['volume', spec.volumes, injection.volume],
  ];
  for (const [what, present, news] of added) {
    const taken = news?.find(({ name }) => names(present).has(name));
    if (taken !== undefined)
      throw new Error(`failed to inject runtime ${runtime}: inject conflicting with ${what}: ${taken.name}`);
  }
  const both = <T>(present: T[] | undefined, news: T[] | undefined): T[] => [...(present ?? []), ...(news ?? [])];
  const initContainers: Container[] = both(spec.initContainers, injection.initContainers);
  const volumes = both(spec.volumes, injection.volume);
  return {
    ...template,
    metadata: {
      ...metadata,
      labels: { ...injection.labels, ...metadata?.labels },
      annotations: { ...injection.annotations, ...metadata?.annotations },
    },
    spec: {
      ...spec,
      containers: both(spec.containers, injection.containers),
      ...(initContainers.length === 0 ? {} : { initContainers }),
      ...(volumes.length === 0 ? {} : { volumes }),
    },
  };
}

async function injectionTemplates(api: Api): Promise<Record<string, string>> {
  try {
    return configSchema.parse(await api.get(objectPath(resources.configmaps, injectionConfig))).data ?? {};
  } catch (error) {
    if (isNotFound(error)) return {};
    throw error;
  }
}

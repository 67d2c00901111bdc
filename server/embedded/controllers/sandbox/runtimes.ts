import { z } from 'zod';
import { type Api, isNotFound } from '../client/api';
import { containerSchema, type PodTemplate } from '../client/objects';
import { objectPath, resources } from '../client/resources';

/** The ConfigMap of the installation that holds one template a runtime; without it no runtime can be injected. */
export const injectionConfig = { metadata: { name: 'sandbox-injection-config', namespace: 'sandbox-system' } };

const configSchema = z.looseObject({ data: z.record(z.string(), z.string()).optional() });
/** What a runtime adds to a Pod: sidecars (as native sidecar init containers) and volumes. */
const injectionSchema = z.looseObject({
  initContainers: z.array(containerSchema).optional(),
  volumes: z.array(z.looseObject({ name: z.string() })).optional(),
});

const builtIn = ['agent-runtime', 'csi'];

/**
 * Adds the sidecars of the runtimes, agent-runtime before csi before the others; one whose container is already in the template
 * is skipped.
 * @throws Error for a runtime without a template: the Pod is not created.
 */
export async function injectRuntimes(
  api: Api,
  template: PodTemplate,
  runtimes: { name: string }[] | undefined,
): Promise<PodTemplate> {
  if (runtimes === undefined || runtimes.length === 0) return template;
  const data = await injectionTemplates(api);
  const order = (name: string) => (builtIn.includes(name) ? builtIn.indexOf(name) : builtIn.length);
  let spec = template.spec ?? {};
  for (const { name } of [...runtimes].sort((a, b) => order(a.name) - order(b.name))) {
    const text = data[name];
    if (text === undefined) throw new Error(`injection template ${name} not found`);
    const { initContainers = [], volumes = [] } = injectionSchema.parse(JSON.parse(text));
    const present = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
    if (initContainers.some((added) => present.some((container) => container.name === added.name))) continue;
    spec = {
      ...spec,
      initContainers: [...(spec.initContainers ?? []), ...initContainers],
      ...(volumes.length === 0 ? {} : { volumes: [...(spec.volumes ?? []), ...volumes] }),
    };
  }
  return { ...template, spec };
}

async function injectionTemplates(api: Api): Promise<Record<string, string>> {
  try {
    return configSchema.parse(await api.get(objectPath(resources.configmaps, injectionConfig))).data ?? {};
  } catch (error) {
    if (isNotFound(error)) return {};
    throw error;
  }
}

import type { TemplateGroup } from '@/lib/contracts/upgrade-preview';
import { containersNow, volumesNow } from './template-facts';

/** What of the templates a patch may name: values by the path of {@link yamlPlace} and the key, as `spec/containers/[]:name`. */
export type TemplateNames = ReadonlyMap<string, readonly string[]>;

/** Names, images and paths that the sandboxes' templates have now. */
export function templateNames(groups: readonly Pick<TemplateGroup, 'before'>[]): TemplateNames {
  const names = new Map<string, string[]>();
  const add = (place: string, values: Iterable<string>) =>
    names.set(place, [...new Set([...(names.get(place) ?? []), ...values])].sort());
  const volumes = volumesNow(groups);
  for (const container of containersNow(groups)) {
    const at = `spec/${container.init ? 'initContainers' : 'containers'}/[]`;
    add(`${at}:name`, [container.name]);
    add(`${at}:image`, container.images);
    add(`${at}/env/[]:name`, container.env.keys());
    add(`${at}/volumeMounts/[]:mountPath`, container.mounts.keys());
    // A mount names a volume of the Pod.
    add(`${at}/volumeMounts/[]:name`, volumes);
  }
  add('spec/volumes/[]:name', volumes);
  return names;
}

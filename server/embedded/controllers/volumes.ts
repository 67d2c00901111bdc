import { z } from 'zod';
import { Informer } from './client/informer';
import { keyOf, objectSchema } from './client/objects';
import { WorkQueue } from './client/queue';
import { objectPath, resources } from './client/resources';
import type { Cluster } from './cluster';
import { timestamp } from './rules/conditions';

const protection = 'kubernetes.io/pv-protection';

const volumeSchema = objectSchema.extend({
  spec: z.looseObject({ claimRef: z.looseObject({ uid: z.string().optional() }).optional() }),
  status: z.looseObject({ phase: z.string().optional() }).optional(),
});
type Volume = z.infer<typeof volumeSchema>;

/** Makes PersistentVolumes available, and lets go those that are deleted and that no claim has. Nothing here binds claims. */
export function volumeController({ api }: Cluster): { queue: WorkQueue; informer: Informer<Volume> } {
  const informer = new Informer(api, resources.persistentvolumes, volumeSchema);
  const queue = new WorkQueue('persistentvolume', 1, async (name) => {
    const volume = informer.get(name);
    if (volume === undefined || volume.spec.claimRef?.uid !== undefined) return;
    const { resourceVersion, deletionTimestamp, finalizers = [] } = volume.metadata;
    if (deletionTimestamp !== undefined) {
      if (!finalizers.includes(protection)) return;
      const left = finalizers.filter((finalizer) => finalizer !== protection);
      await api.patch(objectPath(resources.persistentvolumes, volume), {
        metadata: { resourceVersion, finalizers: left },
      });
    } else if (volume.status?.phase === 'Pending') {
      const status = { phase: 'Available', lastPhaseTransitionTime: timestamp() };
      await api.patch(objectPath(resources.persistentvolumes, volume, 'status'), { status });
    }
  });
  informer.onChange((_before, after) => {
    if (after !== undefined) queue.add(keyOf(after));
  });
  return { queue, informer };
}

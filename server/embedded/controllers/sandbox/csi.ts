import { z } from 'zod';
import type { Api } from '../client/api';
import { type CsiMount, csiMountSchema, type Sandbox } from '../client/objects';
import { objectPath, resources } from '../client/resources';
import { annotation } from '../rules/keys';
import { injectionConfig } from './runtimes';

const systemNamespace = injectionConfig.metadata.namespace;

const volumeSchema = z.looseObject({
  spec: z.looseObject({
    csi: z
      .looseObject({
        nodePublishSecretRef: z.looseObject({ name: z.string(), namespace: z.string().optional() }).optional(),
      })
      .optional(),
  }),
});

/**
 * Looks up what a mount needs: a PersistentVolume with a CSI driver, and the secret that it names. The stand-in runtime has
 * every driver and mounts at once.
 * @throws Error that names what is missing or wrong.
 */
export async function requireVolumes(api: Api, mounts: CsiMount[]): Promise<void> {
  for (const { pvName = '', subPath } of mounts) {
    if (pvName === '') throw new Error('no found persistent volume name');
    const { spec } = volumeSchema.parse(
      await found(api, objectPath(resources.persistentvolumes, { metadata: { name: pvName } }), (why) => {
        return `failed to get persistent volume object by name: ${pvName}, err: ${why}`;
      }),
    );
    if (spec.csi === undefined) throw new Error(`no found csi object in persistent volume by name: ${pvName}`);
    if (subPath?.split('/').includes('..')) throw new Error(`failed to merge and validate paths: sub path=${subPath}`);
    const secret = spec.csi.nodePublishSecretRef;
    if (secret === undefined) continue;
    const { name, namespace = systemNamespace } = secret;
    if (namespace !== systemNamespace)
      throw new Error(`invalid node publish secret ref namespace: ${namespace}, expected: ${systemNamespace}`);
    await found(api, objectPath(resources.secrets, { metadata: { name, namespace } }), (why) => {
      return `failed to get secret object: ${namespace}/${name}, err: ${why}`;
    });
  }
}

async function found(api: Api, path: string, text: (why: string) => string): Promise<unknown> {
  try {
    return await api.get(path);
  } catch (error) {
    throw new Error(text(error instanceof Error ? error.message : String(error)));
  }
}

/**
 * The mounts that a claim left on the sandbox, for a Pod that was made anew.
 * @throws Error when the annotation cannot be read.
 */
export function mountsOf(sandbox: Sandbox): CsiMount[] {
  const text = sandbox.metadata.annotations?.[annotation.csiVolumes];
  return text === undefined || text === '' ? [] : z.array(csiMountSchema).parse(JSON.parse(text));
}

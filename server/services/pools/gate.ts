import 'server-only';
import { z } from 'zod';
import { kubeObject } from '@/lib/contracts/objects';
import type { ServiceContext } from '../context';
import { type ObjectName, objectPath, type Right, readLive } from '../gate';

export const livePool = kubeObject.extend({
  metadata: kubeObject.shape.metadata.extend({ managedFields: z.array(z.unknown()).optional() }),
  spec: z.looseObject({
    replicas: z.number().int().default(0),
    template: z.record(z.string(), z.unknown()).optional(),
    templateRef: z.looseObject({ name: z.string() }).optional(),
  }),
});
export type LivePool = z.infer<typeof livePool>;

export const poolRight = { verb: 'patch', resource: 'sandboxsets' } as const satisfies Right;

export const poolPath = (pool: ObjectName) => objectPath(poolRight.resource, pool);

/** Reads the pool as it is now, and refuses when it is not the one the person saw. */
export const readPool = (ctx: ServiceContext, pool: ObjectName, uid: string) =>
  readLive(ctx, { resource: poolRight.resource, kind: 'SandboxSet', schema: livePool }, pool, uid);

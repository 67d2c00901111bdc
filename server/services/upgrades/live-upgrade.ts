import 'server-only';
import { z } from 'zod';
import { kubeObject } from '@/lib/contracts/objects';
import { intOrPercent } from '@/lib/contracts/rows';
import type { ServiceContext } from '../context';
import { type ObjectName, readLive } from '../gate';

export const upgrades = 'sandboxupdateops';
export const upgradeKind = 'SandboxUpdateOps';

export const liveUpgrade = kubeObject.extend({
  metadata: kubeObject.shape.metadata.extend({ managedFields: z.array(z.unknown()).optional() }),
  spec: z.looseObject({
    paused: z.boolean().optional(),
    updateStrategy: z.looseObject({ type: z.string().optional(), maxUnavailable: intOrPercent.optional() }).optional(),
  }),
  status: z
    .looseObject({
      phase: z.string().optional(),
      replicas: z.number().optional(),
      updatedReplicas: z.number().optional(),
      updatingReplicas: z.number().optional(),
      failedReplicas: z.number().optional(),
    })
    .optional(),
});
export type LiveUpgrade = z.infer<typeof liveUpgrade>;

/** Reads the operation as it is now, and refuses when it is not the one the person saw. */
export const readUpgrade = (ctx: ServiceContext, name: ObjectName, uid: string) =>
  readLive(ctx, { resource: upgrades, kind: upgradeKind, schema: liveUpgrade }, name, uid);

import { z } from 'zod';

const stringMap = z.record(z.string(), z.string());

export const ownerReferenceSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
});
export type OwnerReference = z.infer<typeof ownerReferenceSchema>;

export const metadataSchema = z.looseObject({
  name: z.string(),
  namespace: z.string().optional(),
  uid: z.string(),
  resourceVersion: z.string(),
  generation: z.number().optional(),
  creationTimestamp: z.string().optional(),
  deletionTimestamp: z.string().optional(),
  labels: stringMap.optional(),
  annotations: stringMap.optional(),
  ownerReferences: z.array(ownerReferenceSchema).optional(),
  finalizers: z.array(z.string()).optional(),
});

export const objectSchema = z.looseObject({ metadata: metadataSchema });
/** Any object, as much of it as every controller needs. */
export type KubeObject = z.infer<typeof objectSchema>;

export const conditionSchema = z.looseObject({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
  lastTransitionTime: z.string().nullish(),
});
export type Condition = z.infer<typeof conditionSchema>;

// A template is stored as it was sent, so an amount may be a number.
const quantities = z.record(
  z.string(),
  z.union([z.string(), z.number()]).transform((amount) => String(amount)),
);
const resourcesSchema = z.looseObject({ requests: quantities.optional(), limits: quantities.optional() });
export const containerSchema = z.looseObject({
  name: z.string(),
  image: z.string().optional(),
  resources: resourcesSchema.optional(),
});
export type Container = z.infer<typeof containerSchema>;

const podSpecSchema = z.looseObject({
  nodeName: z.string().optional(),
  nodeSelector: stringMap.optional(),
  terminationGracePeriodSeconds: z.number().optional(),
  containers: z.array(containerSchema).optional(),
  initContainers: z.array(containerSchema).optional(),
  volumes: z.array(z.looseObject({ name: z.string() })).optional(),
});
export const podTemplateSchema = z.looseObject({
  metadata: z.looseObject({ labels: stringMap.optional(), annotations: stringMap.optional() }).optional(),
  spec: podSpecSchema.optional(),
});
export type PodTemplate = z.infer<typeof podTemplateSchema>;

const containerStatusSchema = z.looseObject({
  name: z.string(),
  image: z.string().optional(),
  imageID: z.string().optional(),
  restartCount: z.number().optional(),
  resources: resourcesSchema.optional(),
  state: z
    .looseObject({
      waiting: z.looseObject({ reason: z.string().optional(), message: z.string().optional() }).optional(),
      running: z.looseObject({}).optional(),
      terminated: z
        .looseObject({
          exitCode: z.number().optional(),
          reason: z.string().optional(),
          finishedAt: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
});
export type ContainerStatus = z.infer<typeof containerStatusSchema>;

export const podSchema = z.looseObject({
  metadata: metadataSchema,
  spec: podSpecSchema,
  status: z
    .looseObject({
      phase: z.string().optional(),
      podIP: z.string().optional(),
      startTime: z.string().optional(),
      conditions: z.array(conditionSchema).optional(),
      containerStatuses: z.array(containerStatusSchema).optional(),
      initContainerStatuses: z.array(containerStatusSchema).optional(),
    })
    .optional(),
});
export type Pod = z.infer<typeof podSchema>;

export const nodeSchema = z.looseObject({
  metadata: metadataSchema,
  spec: z.looseObject({ unschedulable: z.boolean().optional() }).optional(),
  status: z
    .looseObject({ allocatable: stringMap.optional(), conditions: z.array(conditionSchema).optional() })
    .optional(),
});
export type Node = z.infer<typeof nodeSchema>;

const nameOnly = z.looseObject({ name: z.string() });
const hookSchema = z.looseObject({
  exec: z.looseObject({ command: z.array(z.string()).optional() }).optional(),
  timeoutSeconds: z.number().optional(),
});
export type Hook = z.infer<typeof hookSchema>;
const lifecycleSchema = z.looseObject({ preUpgrade: hookSchema.optional(), postUpgrade: hookSchema.optional() });
const intOrString = z.union([z.number(), z.string()]);

const sandboxTemplateFields = {
  templateRef: nameOnly.optional(),
  template: podTemplateSchema.optional(),
  volumeClaimTemplates: z.array(z.looseObject({ metadata: nameOnly, spec: z.unknown().optional() })).optional(),
  persistentContents: z.array(z.string()).optional(),
  runtimes: z.array(nameOnly).optional(),
  pauseStrategy: z.looseObject({}).optional(),
};

const sandboxStatusSchema = z.looseObject({
  observedGeneration: z.number().optional(),
  phase: z.string().optional(),
  message: z.string().optional(),
  conditions: z.array(conditionSchema).optional(),
  podInfo: z
    .looseObject({
      nodeName: z.string().optional(),
      podIP: z.string().optional(),
      podUID: z.string().optional(),
    })
    .optional(),
  nodeName: z.string().optional(),
  sandboxIp: z.string().optional(),
  updateRevision: z.string().optional(),
  recycledCount: z.number().optional(),
});
export type SandboxStatus = z.infer<typeof sandboxStatusSchema>;

export const sandboxSchema = z.looseObject({
  metadata: metadataSchema,
  spec: z.looseObject({
    ...sandboxTemplateFields,
    paused: z.boolean().optional(),
    shutdownTime: z.string().optional(),
    pauseTime: z.string().optional(),
    lifecycle: lifecycleSchema.optional(),
    upgradePolicy: z.looseObject({ type: z.string().optional() }).optional(),
  }),
  status: sandboxStatusSchema.optional(),
});
export type Sandbox = z.infer<typeof sandboxSchema>;

export const sandboxSetSchema = z.looseObject({
  metadata: metadataSchema,
  spec: z.looseObject({
    ...sandboxTemplateFields,
    replicas: z.number().optional(),
    scaleStrategy: z.looseObject({ maxUnavailable: intOrString.optional() }).optional(),
    updateStrategy: z.looseObject({ maxUnavailable: intOrString.optional() }).optional(),
  }),
  status: z
    .looseObject({
      observedGeneration: z.number().optional(),
      replicas: z.number().optional(),
      availableReplicas: z.number().optional(),
      updateRevision: z.string().optional(),
      currentRevision: z.string().optional(),
      updatedReplicas: z.number().optional(),
      updatedAvailableReplicas: z.number().optional(),
      selector: z.string().optional(),
    })
    .optional(),
});
export type SandboxSet = z.infer<typeof sandboxSetSchema>;

export const sandboxTemplateSchema = z.looseObject({
  metadata: metadataSchema,
  spec: z.looseObject({ template: podTemplateSchema.optional() }).optional(),
});
export type SandboxTemplate = z.infer<typeof sandboxTemplateSchema>;

/** A volume that is mounted into a running sandbox. */
export const csiMountSchema = z.looseObject({
  pvName: z.string().optional(),
  mountPath: z.string().optional(),
  subPath: z.string().optional(),
});
export type CsiMount = z.infer<typeof csiMountSchema>;

export const sandboxClaimSchema = z.looseObject({
  metadata: metadataSchema,
  spec: z.looseObject({
    templateName: z.string(),
    replicas: z.number().optional(),
    shutdownTime: z.string().optional(),
    claimTimeout: z.string().optional(),
    ttlAfterCompleted: z.string().optional(),
    labels: stringMap.optional(),
    annotations: stringMap.optional(),
    envVars: stringMap.optional(),
    runtimes: z.array(nameOnly).optional(),
    reserveFailedSandbox: z.boolean().optional(),
    createOnNoStock: z.boolean().optional(),
    waitReadyTimeout: z.string().optional(),
    skipInitRuntime: z.boolean().optional(),
    inplaceUpdate: z.looseObject({ image: z.string().optional(), resources: resourcesSchema.optional() }).optional(),
    dynamicVolumesMount: z.array(csiMountSchema).optional(),
  }),
  status: z
    .looseObject({
      observedGeneration: z.number().optional(),
      phase: z.string().optional(),
      message: z.string().optional(),
      claimedReplicas: z.number().optional(),
      claimStartTime: z.string().optional(),
      completionTime: z.string().optional(),
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});
export type SandboxClaim = z.infer<typeof sandboxClaimSchema>;

export const labelSelectorSchema = z.looseObject({
  matchLabels: stringMap.optional(),
  matchExpressions: z
    .array(z.looseObject({ key: z.string(), operator: z.string(), values: z.array(z.string()).optional() }))
    .optional(),
});
export type LabelSelector = z.infer<typeof labelSelectorSchema>;

export const sandboxUpdateOpsSchema = z.looseObject({
  metadata: metadataSchema,
  spec: z.looseObject({
    selector: labelSelectorSchema,
    updateStrategy: z.looseObject({ type: z.string().optional(), maxUnavailable: intOrString.optional() }).optional(),
    patch: z.unknown().optional(),
    lifecycle: lifecycleSchema.optional(),
    paused: z.boolean().optional(),
    stateFilter: z.looseObject({ states: z.array(z.string()).optional() }).optional(),
  }),
  status: z
    .looseObject({
      observedGeneration: z.number().optional(),
      phase: z.string().optional(),
      replicas: z.number().optional(),
      updatedReplicas: z.number().optional(),
      updatingReplicas: z.number().optional(),
      failedReplicas: z.number().optional(),
    })
    .optional(),
});
export type SandboxUpdateOps = z.infer<typeof sandboxUpdateOpsSchema>;

export const checkpointSchema = z.looseObject({
  metadata: metadataSchema,
  spec: z.looseObject({ sandboxName: z.string().optional() }).optional(),
  status: z
    .looseObject({
      phase: z.string().optional(),
      message: z.string().optional(),
      checkpointId: z.string().optional(),
    })
    .optional(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** `namespace/name`, or the name alone of a cluster-scoped object: the key of caches and queues. */
export const keyOf = (object: KubeObject): string =>
  object.metadata.namespace === undefined
    ? object.metadata.name
    : `${object.metadata.namespace}/${object.metadata.name}`;

/** The owner that manages the object, if any. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((owner) => owner.controller === true);

/** Labels, annotations and finalizers of OpenKruise Agents (api/v1alpha1 at 0b72c83a). */
export const label = {
  pool: 'agents.kruise.io/sandbox-pool',
  template: 'agents.kruise.io/sandbox-template',
  claimed: 'agents.kruise.io/sandbox-claimed',
  claimName: 'agents.kruise.io/claim-name',
  templateHash: 'agents.kruise.io/template-hash',
  updateOps: 'agents.kruise.io/update-ops',
  upgradeFailed: 'agents.kruise.io/upgrade-failed',
  reservedFailed: 'agents.kruise.io/reserved-failed-sandbox',
  owner: 'agents.kruise.io/owner',
  createdBy: 'agents.kruise.io/created-by',
  podTemplateHash: 'pod-template-hash',
  checkpointType: 'agents.kruise.io/checkpoint-type',
  sandboxName: 'agents.kruise.io/sandbox-name',
} as const;

export const annotation = {
  lock: 'agents.kruise.io/lock',
  owner: 'agents.kruise.io/owner',
  claimTimestamp: 'agents.kruise.io/claim-timestamp',
  initRequest: 'agents.kruise.io/init-runtime-request',
  accessToken: 'agents.kruise.io/runtime-access-token',
  claimMetadata: 'agents.kruise.io/updated-metadata-in-claim',
  csiVolumes: 'e2b.agents.kruise.io/csi-volume-config',
  priority: 'agents.kruise.io/sandbox-priority',
  cleanup: 'agents.kruise.io/cleanup',
  cleanupEnabled: 'agents.kruise.io/cleanup-enabled',
  cleanupRetain: 'agents.kruise.io/cleanup-retain-on-failure',
  reservePaused: 'agents.kruise.io/reserve-paused-sandbox-duration',
  resumeTrigger: 'agents.kruise.io/upgrade-resume-trigger',
  inplaceState: 'agents.kruise.io/inplace-update-state',
  cleanupCandidate: 'agents.kruise.io/cleanup-candidate',
  immutableHash: 'sandbox.agents.kruise.io/hash-immutable-part',
} as const;

export const finalizer = {
  sandbox: 'agents.kruise.io/sandbox',
  updateOps: 'agents.kruise.io/sandboxupdateops-protection',
} as const;

/** Owner written on a pool member before the pool deletes it. */
export const scaleDownOwner = '__manager_scale_down';
export const agentsPrefix = 'agents.kruise.io/';

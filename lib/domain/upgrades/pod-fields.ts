import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject } from '../json-diff';
import { fieldPath, isDirective, mergeKeyOf, patchDirective } from './merge-keys';
import { faultAt } from './patch-fault';

/**
 * The fields of a Pod template by the kind of object they stand in: core/v1 and meta/v1 of Kubernetes 1.35, which is what
 * the controller reads a template with; it drops every other field. `field:Kind` is an object, `field:Kind[]` a list of
 * them; a field without a kind is a plain value or a map whose keys are the user's own.
 */
const kinds: Readonly<Record<string, string>> = {
  PodTemplateSpec: 'metadata:ObjectMeta spec:PodSpec',
  ObjectMeta:
    'annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation labels managedFields:ManagedFieldsEntry[] name namespace ownerReferences:OwnerReference[] resourceVersion selfLink uid',
  ManagedFieldsEntry: 'apiVersion fieldsType fieldsV1 manager operation subresource time',
  OwnerReference: 'apiVersion blockOwnerDeletion controller kind name uid',
  PodSpec:
    'activeDeadlineSeconds affinity:Affinity automountServiceAccountToken containers:Container[] dnsConfig:PodDNSConfig dnsPolicy enableServiceLinks ephemeralContainers:EphemeralContainer[] hostAliases:HostAlias[] hostIPC hostNetwork hostPID hostUsers hostname hostnameOverride imagePullSecrets:LocalObjectReference[] initContainers:Container[] nodeName nodeSelector os:PodOS overhead preemptionPolicy priority priorityClassName readinessGates:PodReadinessGate[] resourceClaims:PodResourceClaim[] resources:ResourceRequirements restartPolicy runtimeClassName schedulerName schedulingGates:PodSchedulingGate[] securityContext:PodSecurityContext serviceAccount serviceAccountName setHostnameAsFQDN shareProcessNamespace subdomain terminationGracePeriodSeconds tolerations:Toleration[] topologySpreadConstraints:TopologySpreadConstraint[] volumes:Volume[] workloadRef:WorkloadReference',
  Affinity: 'nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity',
  NodeAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:PreferredSchedulingTerm[] requiredDuringSchedulingIgnoredDuringExecution:NodeSelector',
  PreferredSchedulingTerm: 'preference:NodeSelectorTerm weight',
  NodeSelectorTerm: 'matchExpressions:NodeSelectorRequirement[] matchFields:NodeSelectorRequirement[]',
  NodeSelectorRequirement: 'key operator values',
  NodeSelector: 'nodeSelectorTerms:NodeSelectorTerm[]',
  PodAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[] requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[]',
  WeightedPodAffinityTerm: 'podAffinityTerm:PodAffinityTerm weight',
  PodAffinityTerm:
    'labelSelector:LabelSelector matchLabelKeys mismatchLabelKeys namespaceSelector:LabelSelector namespaces topologyKey',
  LabelSelector: 'matchExpressions:LabelSelectorRequirement[] matchLabels',
  LabelSelectorRequirement: 'key operator values',
  PodAntiAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[] requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[]',
  Container:
    'args command env:EnvVar[] envFrom:EnvFromSource[] image imagePullPolicy lifecycle:Lifecycle livenessProbe:Probe name ports:ContainerPort[] readinessProbe:Probe resizePolicy:ContainerResizePolicy[] resources:ResourceRequirements restartPolicy restartPolicyRules:ContainerRestartRule[] securityContext:SecurityContext startupProbe:Probe stdin stdinOnce terminationMessagePath terminationMessagePolicy tty volumeDevices:VolumeDevice[] volumeMounts:VolumeMount[] workingDir',
  EnvVar: 'name value valueFrom:EnvVarSource',
  EnvVarSource:
    'configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector fileKeyRef:FileKeySelector resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector',
  ConfigMapKeySelector: 'key name optional',
  ObjectFieldSelector: 'apiVersion fieldPath',
  FileKeySelector: 'key optional path volumeName',
  ResourceFieldSelector: 'containerName divisor resource',
  SecretKeySelector: 'key name optional',
  EnvFromSource: 'configMapRef:ConfigMapEnvSource prefix secretRef:SecretEnvSource',
  ConfigMapEnvSource: 'name optional',
  SecretEnvSource: 'name optional',
  Lifecycle: 'postStart:LifecycleHandler preStop:LifecycleHandler stopSignal',
  LifecycleHandler: 'exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction',
  ExecAction: 'command',
  HTTPGetAction: 'host httpHeaders:HTTPHeader[] path port scheme',
  HTTPHeader: 'name value',
  SleepAction: 'seconds',
  TCPSocketAction: 'host port',
  Probe:
    'exec:ExecAction failureThreshold grpc:GRPCAction httpGet:HTTPGetAction initialDelaySeconds periodSeconds successThreshold tcpSocket:TCPSocketAction terminationGracePeriodSeconds timeoutSeconds',
  GRPCAction: 'port service',
  ContainerPort: 'containerPort hostIP hostPort name protocol',
  ContainerResizePolicy: 'resourceName restartPolicy',
  ResourceRequirements: 'claims:ResourceClaim[] limits requests',
  ResourceClaim: 'name request',
  ContainerRestartRule: 'action exitCodes:ContainerRestartRuleOnExitCodes',
  ContainerRestartRuleOnExitCodes: 'operator values',
  SecurityContext:
    'allowPrivilegeEscalation appArmorProfile:AppArmorProfile capabilities:Capabilities privileged procMount readOnlyRootFilesystem runAsGroup runAsNonRoot runAsUser seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile windowsOptions:WindowsSecurityContextOptions',
  AppArmorProfile: 'localhostProfile type',
  Capabilities: 'add drop',
  SELinuxOptions: 'level role type user',
  SeccompProfile: 'localhostProfile type',
  WindowsSecurityContextOptions: 'gmsaCredentialSpec gmsaCredentialSpecName hostProcess runAsUserName',
  VolumeDevice: 'devicePath name',
  VolumeMount: 'mountPath mountPropagation name readOnly recursiveReadOnly subPath subPathExpr',
  PodDNSConfig: 'nameservers options:PodDNSConfigOption[] searches',
  PodDNSConfigOption: 'name value',
  EphemeralContainer:
    'args command env:EnvVar[] envFrom:EnvFromSource[] image imagePullPolicy lifecycle:Lifecycle livenessProbe:Probe name ports:ContainerPort[] readinessProbe:Probe resizePolicy:ContainerResizePolicy[] resources:ResourceRequirements restartPolicy restartPolicyRules:ContainerRestartRule[] securityContext:SecurityContext startupProbe:Probe stdin stdinOnce targetContainerName terminationMessagePath terminationMessagePolicy tty volumeDevices:VolumeDevice[] volumeMounts:VolumeMount[] workingDir',
  HostAlias: 'hostnames ip',
  LocalObjectReference: 'name',
  PodOS: 'name',
  PodReadinessGate: 'conditionType',
  PodResourceClaim: 'name resourceClaimName resourceClaimTemplateName',
  PodSchedulingGate: 'name',
  PodSecurityContext:
    'appArmorProfile:AppArmorProfile fsGroup fsGroupChangePolicy runAsGroup runAsNonRoot runAsUser seLinuxChangePolicy seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile supplementalGroups supplementalGroupsPolicy sysctls:Sysctl[] windowsOptions:WindowsSecurityContextOptions',
  Sysctl: 'name value',
  Toleration: 'effect key operator tolerationSeconds value',
  TopologySpreadConstraint:
    'labelSelector:LabelSelector matchLabelKeys maxSkew minDomains nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable',
  Volume:
    'awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource flexVolume:FlexVolumeSource flocker:FlockerVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource image:ImageVolumeSource iscsi:ISCSIVolumeSource name nfs:NFSVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource vsphereVolume:VsphereVirtualDiskVolumeSource',
  AWSElasticBlockStoreVolumeSource: 'fsType partition readOnly volumeID',
  AzureDiskVolumeSource: 'cachingMode diskName diskURI fsType kind readOnly',
  AzureFileVolumeSource: 'readOnly secretName shareName',
  CephFSVolumeSource: 'monitors path readOnly secretFile secretRef:LocalObjectReference user',
  CinderVolumeSource: 'fsType readOnly secretRef:LocalObjectReference volumeID',
  ConfigMapVolumeSource: 'defaultMode items:KeyToPath[] name optional',
  KeyToPath: 'key mode path',
  CSIVolumeSource: 'driver fsType nodePublishSecretRef:LocalObjectReference readOnly volumeAttributes',
  DownwardAPIVolumeSource: 'defaultMode items:DownwardAPIVolumeFile[]',
  DownwardAPIVolumeFile: 'fieldRef:ObjectFieldSelector mode path resourceFieldRef:ResourceFieldSelector',
  EmptyDirVolumeSource: 'medium sizeLimit',
  EphemeralVolumeSource: 'volumeClaimTemplate:PersistentVolumeClaimTemplate',
  PersistentVolumeClaimTemplate: 'metadata:ObjectMeta spec:PersistentVolumeClaimSpec',
  PersistentVolumeClaimSpec:
    'accessModes dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements selector:LabelSelector storageClassName volumeAttributesClassName volumeMode volumeName',
  TypedLocalObjectReference: 'apiGroup kind name',
  TypedObjectReference: 'apiGroup kind name namespace',
  VolumeResourceRequirements: 'limits requests',
  FCVolumeSource: 'fsType lun readOnly targetWWNs wwids',
  FlexVolumeSource: 'driver fsType options readOnly secretRef:LocalObjectReference',
  FlockerVolumeSource: 'datasetName datasetUUID',
  GCEPersistentDiskVolumeSource: 'fsType partition pdName readOnly',
  GitRepoVolumeSource: 'directory repository revision',
  GlusterfsVolumeSource: 'endpoints path readOnly',
  HostPathVolumeSource: 'path type',
  ImageVolumeSource: 'pullPolicy reference',
  ISCSIVolumeSource:
    'chapAuthDiscovery chapAuthSession fsType initiatorName iqn iscsiInterface lun portals readOnly secretRef:LocalObjectReference targetPortal',
  NFSVolumeSource: 'path readOnly server',
  PersistentVolumeClaimVolumeSource: 'claimName readOnly',
  PhotonPersistentDiskVolumeSource: 'fsType pdID',
  PortworxVolumeSource: 'fsType readOnly volumeID',
  ProjectedVolumeSource: 'defaultMode sources:VolumeProjection[]',
  VolumeProjection:
    'clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection',
  ClusterTrustBundleProjection: 'labelSelector:LabelSelector name optional path signerName',
  ConfigMapProjection: 'items:KeyToPath[] name optional',
  DownwardAPIProjection: 'items:DownwardAPIVolumeFile[]',
  PodCertificateProjection:
    'certificateChainPath credentialBundlePath keyPath keyType maxExpirationSeconds signerName userAnnotations',
  SecretProjection: 'items:KeyToPath[] name optional',
  ServiceAccountTokenProjection: 'audience expirationSeconds path',
  QuobyteVolumeSource: 'group readOnly registry tenant user volume',
  RBDVolumeSource: 'fsType image keyring monitors pool readOnly secretRef:LocalObjectReference user',
  ScaleIOVolumeSource:
    'fsType gateway protectionDomain readOnly secretRef:LocalObjectReference sslEnabled storageMode storagePool system volumeName',
  SecretVolumeSource: 'defaultMode items:KeyToPath[] optional secretName',
  StorageOSVolumeSource: 'fsType readOnly secretRef:LocalObjectReference volumeName volumeNamespace',
  VsphereVirtualDiskVolumeSource: 'fsType storagePolicyID storagePolicyName volumePath',
  WorkloadReference: 'name podGroup podGroupReplicaKey',
};

interface Inner {
  kind: string;
  list: boolean;
}
type Fields = ReadonlyMap<string, Inner | undefined>;

const read = new Map<string, Fields>();

function fieldsOf(kind: string): Fields {
  const known = read.get(kind);
  if (known) return known;
  const fields = new Map(
    (kinds[kind] ?? '').split(' ').map((text): [string, Inner | undefined] => {
      const [name = '', inner] = text.split(':');
      return [name, inner === undefined ? undefined : { kind: inner.replace('[]', ''), list: inner.endsWith('[]') }];
    }),
  );
  read.set(kind, fields);
  return fields;
}

const root = 'PodTemplateSpec';

/** Names of the fields that may stand at a path, in which `[]` after a list is its item; none where the path is not known. */
export function fieldsAt(path: readonly string[]): string[] {
  let at: Inner | undefined = { kind: root, list: false };
  let field = '';
  for (const part of path) {
    if (at === undefined || (part === '[]') !== at.list) return [];
    if (part === '[]') at = { ...at, list: false };
    else {
      field = part;
      at = fieldsOf(at.kind).get(part);
    }
  }
  if (at === undefined || at.list) return [];
  const names = [...fieldsOf(at.kind).keys()];
  return path.at(-1) === '[]' && mergeKeyOf(field) !== undefined ? [...names, patchDirective] : names;
}

/** The first field of a patch that no Pod template has; undefined: none. */
export function unknownField(patch: Readonly<Record<string, unknown>>, kind = root, path = ''): PatchFault | undefined {
  const known = fieldsOf(kind);
  for (const [field, value] of Object.entries(patch)) {
    if (isDirective(field)) continue;
    const at = fieldPath(path, field);
    if (!known.has(field)) return faultAt(at, 'unknownField', { field, nearest: nearest(field, [...known.keys()]) });
    const inner = known.get(field);
    if (inner === undefined) continue;
    const found = Array.isArray(value)
      ? inItems(value, inner.kind, at, mergeKeyOf(field))
      : isObject(value)
        ? unknownField(value, inner.kind, at)
        : undefined;
    if (found) return found;
  }
  return undefined;
}

function inItems(items: unknown[], kind: string, path: string, key: string | undefined): PatchFault | undefined {
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    const name = key === undefined ? undefined : item[key];
    const found = unknownField(item, kind, `${path}[${String(name ?? index)}]`);
    if (found) return found;
  }
  return undefined;
}

/** The name that a slip of one or two letters would have made of it; `none`: it is like none of them. */
function nearest(field: string, names: readonly string[]): string {
  const typed = field.toLowerCase();
  const ranked = names
    .map((name) => ({ name, slips: distance(typed, name.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips);
  const [best] = ranked;
  return best !== undefined && best.slips <= Math.min(2, Math.floor(field.length / 2)) ? best.name : 'none';
}

/** Letters that have to be put in, taken out or changed to get from one word to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

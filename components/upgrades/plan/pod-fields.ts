/**
 * Fields of a Pod template that an upgrade changes, by the kind of object they stand in (Kubernetes API reference, core/v1).
 * Not all there are: what is offered while typing, not what is accepted.
 */
const keyRef = { name: undefined, key: undefined, optional: undefined };
const probe = {
  httpGet: { path: undefined, port: undefined, scheme: undefined },
  tcpSocket: { port: undefined },
  exec: { command: undefined },
  initialDelaySeconds: undefined,
  periodSeconds: undefined,
  timeoutSeconds: undefined,
  successThreshold: undefined,
  failureThreshold: undefined,
};
const quantities = { cpu: undefined, memory: undefined, 'ephemeral-storage': undefined };
const securityContext = {
  runAsUser: undefined,
  runAsGroup: undefined,
  runAsNonRoot: undefined,
  privileged: undefined,
  readOnlyRootFilesystem: undefined,
  allowPrivilegeEscalation: undefined,
  capabilities: { add: undefined, drop: undefined },
};
const container = {
  name: undefined,
  image: undefined,
  imagePullPolicy: undefined,
  command: undefined,
  args: undefined,
  workingDir: undefined,
  env: [
    {
      name: undefined,
      value: undefined,
      valueFrom: { secretKeyRef: keyRef, configMapKeyRef: keyRef, fieldRef: { fieldPath: undefined } },
      $patch: undefined,
    },
  ],
  envFrom: [{ configMapRef: { name: undefined }, secretRef: { name: undefined }, prefix: undefined }],
  ports: [{ name: undefined, containerPort: undefined, protocol: undefined, $patch: undefined }],
  resources: { requests: quantities, limits: quantities },
  volumeMounts: [{ name: undefined, mountPath: undefined, subPath: undefined, readOnly: undefined, $patch: undefined }],
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  securityContext,
  restartPolicy: undefined,
  $patch: undefined,
};

type Fields = { [key: string]: undefined | Fields | readonly Fields[] };

const podTemplate: Fields = {
  metadata: { labels: undefined, annotations: undefined },
  spec: {
    containers: [container],
    initContainers: [container],
    volumes: [
      {
        name: undefined,
        emptyDir: { sizeLimit: undefined, medium: undefined },
        configMap: { name: undefined, defaultMode: undefined },
        secret: { secretName: undefined, defaultMode: undefined },
        persistentVolumeClaim: { claimName: undefined, readOnly: undefined },
        hostPath: { path: undefined, type: undefined },
        $patch: undefined,
      },
    ],
    nodeSelector: undefined,
    tolerations: [{ key: undefined, operator: undefined, value: undefined, effect: undefined }],
    affinity: undefined,
    imagePullSecrets: [{ name: undefined, $patch: undefined }],
    serviceAccountName: undefined,
    priorityClassName: undefined,
    runtimeClassName: undefined,
    securityContext: { ...securityContext, fsGroup: undefined },
    terminationGracePeriodSeconds: undefined,
    hostAliases: [{ ip: undefined, hostnames: undefined }],
    dnsPolicy: undefined,
    dnsConfig: { nameservers: undefined, searches: undefined },
  },
};

/** Names of the fields that may stand at a path of {@link yamlPlace}; none where the path is not known. */
export function fieldsAt(path: readonly string[]): string[] {
  let at: Fields[string] = podTemplate;
  for (const part of path) {
    if (part === '[]') at = isList(at) ? at[0] : undefined;
    else at = at === undefined || isList(at) ? undefined : at[part];
  }
  return at === undefined || isList(at) ? [] : Object.keys(at);
}

const isList = (fields: Fields[string]): fields is readonly Fields[] => Array.isArray(fields);

const fixed: Record<string, readonly string[]> = {
  $patch: ['delete', 'replace'],
  imagePullPolicy: ['IfNotPresent', 'Always', 'Never'],
  protocol: ['TCP', 'UDP', 'SCTP'],
  restartPolicy: ['Always'],
  readOnly: ['true', 'false'],
  optional: ['true', 'false'],
};

/** Values that a field can have whatever the template. */
export const fixedValues = (key: string): readonly string[] => fixed[key] ?? [];

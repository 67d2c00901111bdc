import { z } from 'zod';
import type { PatchFault } from '@/lib/contracts/patch-fault';
import { plainFields } from './merge-keys';
import { faultAt, typeName } from './patch-fault';

/**
 * The types of the fields of a Pod template that people set, as Go's decoder insists on them. What
 * is not named here is not looked at.
 */
const text = z.string().optional();
const whole = z.number().int().optional();
const flag = z.boolean().optional();
const texts = z.array(z.string()).optional();
const textMap = z.record(z.string(), z.string()).optional();
const object = z.looseObject({}).optional();
const quantities = z.record(z.string(), z.union([z.string(), z.number()])).optional();
const listOf = (shape: z.ZodRawShape) => z.array(z.looseObject(shape)).optional();
const objectOf = (shape: z.ZodRawShape) => z.looseObject(shape).optional();

const container = {
  name: text,
  image: text,
  imagePullPolicy: text,
  command: texts,
  args: texts,
  workingDir: text,
  restartPolicy: text,
  stdin: flag,
  tty: flag,
  ports: listOf({ containerPort: whole, hostPort: whole, name: text, protocol: text, hostIP: text }),
  env: listOf({ name: text, value: text, valueFrom: object }),
  envFrom: listOf({ prefix: text, configMapRef: object, secretRef: object }),
  resources: objectOf({ requests: quantities, limits: quantities }),
  volumeMounts: listOf({ name: text, mountPath: text, subPath: text, readOnly: flag }),
  volumeDevices: listOf({ name: text, devicePath: text }),
  securityContext: objectOf({ privileged: flag, runAsUser: whole, runAsGroup: whole, runAsNonRoot: flag }),
  livenessProbe: object,
  readinessProbe: object,
  startupProbe: object,
  lifecycle: object,
};

const podTemplate = z.looseObject({
  metadata: objectOf({ name: text, labels: textMap, annotations: textMap, finalizers: texts }),
  spec: objectOf({
    containers: listOf(container),
    initContainers: listOf(container),
    volumes: listOf({
      name: text,
      emptyDir: objectOf({ medium: text, sizeLimit: z.union([z.string(), z.number()]).optional() }),
      configMap: objectOf({ name: text, optional: flag, defaultMode: whole }),
      secret: objectOf({ secretName: text, optional: flag, defaultMode: whole }),
      persistentVolumeClaim: objectOf({ claimName: text, readOnly: flag }),
      hostPath: objectOf({ path: text, type: text }),
    }),
    imagePullSecrets: listOf({ name: text }),
    hostAliases: listOf({ ip: text, hostnames: texts }),
    tolerations: listOf({ key: text, operator: text, value: text, effect: text, tolerationSeconds: whole }),
    topologySpreadConstraints: listOf({ topologyKey: text, maxSkew: whole, whenUnsatisfiable: text }),
    nodeSelector: textMap,
    affinity: object,
    securityContext: object,
    dnsConfig: object,
    nodeName: text,
    runtimeClassName: text,
    schedulerName: text,
    serviceAccountName: text,
    priorityClassName: text,
    restartPolicy: text,
    dnsPolicy: text,
    hostname: text,
    subdomain: text,
    hostNetwork: flag,
    hostPID: flag,
    shareProcessNamespace: flag,
    automountServiceAccountToken: flag,
    terminationGracePeriodSeconds: whole,
    activeDeadlineSeconds: whole,
  }),
});

/** The first field of a template, or of a patch on one, that is of another type than the API's; undefined: none. */
export function shapeProblem(template: Readonly<Record<string, unknown>>): PatchFault | undefined {
  const plain = plainFields(template);
  const issue = podTemplate.safeParse(plain).error?.issues[0];
  if (issue === undefined) return undefined;
  const path = issue.path.reduce<string>(
    (at, part) => (typeof part === 'number' ? `${at}[${part}]` : at === '' ? String(part) : `${at}.${String(part)}`),
    '',
  );
  const got = issue.path.reduce<unknown>((at, part) => (at as Record<PropertyKey, unknown>)[part], plain);
  return faultAt(path, 'wrongType', {
    expected: 'expected' in issue ? nameOf(issue.expected) : 'quantity',
    got: typeName(got),
  });
}

/** As {@link typeName} calls them. */
const nameOf = (expected: string): string =>
  ({ string: 'text', array: 'list', record: 'object', int: 'whole' })[expected] ?? expected;

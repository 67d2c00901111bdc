import { type Fields, fieldsOf, isFields, listOf, textOf } from '../../core/objects';

/** The defaults of a core/v1 PodSpec, as the API server and the pool's mutating webhook fill them in. */
export function defaultPodSpec(spec: Fields): Fields {
  const result: Fields = {
    ...spec,
    containers: listOf(spec, 'containers').map(defaultContainer),
    dnsPolicy: spec.dnsPolicy ?? 'ClusterFirst',
    restartPolicy: spec.restartPolicy ?? 'Always',
    schedulerName: spec.schedulerName ?? 'default-scheduler',
    securityContext: spec.securityContext ?? {},
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
  };
  if (Array.isArray(spec.initContainers)) result.initContainers = spec.initContainers.map(defaultContainer);
  if (Array.isArray(spec.volumes)) result.volumes = spec.volumes.map(defaultVolume);
  return result;
}

/** Fills in absent fields of `target`; the order of fields is of no meaning. */
function absent(target: Fields, defaults: Fields): Fields {
  return { ...defaults, ...target };
}

function defaultContainer(container: unknown): unknown {
  if (!isFields(container)) return container;
  const result = absent(container, {
    imagePullPolicy: pullPolicyOf(textOf(container, 'image')),
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  if (Array.isArray(container.ports)) {
    result.ports = container.ports.map((port: unknown) => (isFields(port) ? absent(port, { protocol: 'TCP' }) : port));
  }
  if (Array.isArray(container.env)) result.env = container.env.map(defaultEnv);
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (isFields(container[probe])) result[probe] = defaultProbe(container[probe]);
  }
  result.resources = defaultResources(fieldsOf(result, 'resources'));
  return result;
}

/** What is limited is requested as well, where nothing else is said. */
export function defaultResources(resources: Fields): Fields {
  const limits = fieldsOf(resources, 'limits');
  if (Object.keys(limits).length === 0) return resources;
  return { ...resources, requests: absent(fieldsOf(resources, 'requests'), limits) };
}

/** `Always` for an image without a tag or tagged latest, as long as no digest pins it. */
function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  if (image.includes('@')) return 'IfNotPresent';
  const name = image.slice(image.lastIndexOf('/') + 1);
  const tag = name.includes(':') ? name.slice(name.lastIndexOf(':') + 1) : 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultEnv(variable: unknown): unknown {
  const reference = fieldsOf(variable, 'valueFrom', 'fieldRef');
  if (!isFields(variable) || reference.fieldPath === undefined) return variable;
  return { ...variable, valueFrom: { fieldRef: absent(reference, { apiVersion: 'v1' }) } };
}

function defaultProbe(probe: Fields): Fields {
  const result = absent(probe, { failureThreshold: 3, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1 });
  if (isFields(probe.httpGet)) result.httpGet = absent(probe.httpGet, { path: '/', scheme: 'HTTP' });
  return result;
}

const MODE_OF_VOLUME = ['configMap', 'downwardAPI', 'projected', 'secret'];

function defaultVolume(volume: unknown): unknown {
  if (!isFields(volume)) return volume;
  if (Object.keys(volume).length === 1) return { ...volume, emptyDir: {} };
  const source = MODE_OF_VOLUME.find((name) => isFields(volume[name]));
  if (source !== undefined) return { ...volume, [source]: absent(fieldsOf(volume, source), { defaultMode: 420 }) };
  return isFields(volume.hostPath) ? { ...volume, hostPath: absent(volume.hostPath, { type: '' }) } : volume;
}

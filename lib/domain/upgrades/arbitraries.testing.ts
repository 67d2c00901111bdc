import fc from 'fast-check';
import type { Template } from '../templates';

/** Random Pod templates and strategic merge patches on them, small enough that they meet in names and keys. */

const image = fc.constantFrom('reg/app:v1', 'reg/app:v2', 'reg/side:v1');
const value = fc.constantFrom('a', 'b', '');
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const named = <T extends object>(names: readonly string[], fields: fc.Arbitrary<T>, key = 'name', minLength = 0) =>
  fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 3, minLength })
    .chain((chosen) => fc.tuple(...chosen.map((name) => fields.map((rest) => ({ [key]: name, ...rest })))));
const fields = <T extends Record<string, fc.Arbitrary<unknown>>>(shape: T) =>
  fc.record(shape, { requiredKeys: [] }).map((object) => withoutUndefined(object) as Record<string, unknown>);

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, item]) => item !== undefined));
}

const envNames = ['MODE', 'LEVEL', 'TOKEN'];
const mountPaths = ['/data', '/cache', '/home'];
const volumeNames = ['data', 'cache', 'conf'];
const containerNames = ['app', 'side', 'log'];
const textMap = fc.dictionary(fc.constantFrom('team', 'app', 'tier'), value, { maxKeys: 3 });
const quantities = fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '500m', '2Gi'), { maxKeys: 2 });

const envSource = fc.oneof(
  fc.record({ value }),
  fc.constant({ valueFrom: { secretKeyRef: { name: 'keys', key: 'k' } } }),
);
const volumeSource = fc.oneof(
  fc.constant({ emptyDir: {} }),
  fc.record({ configMap: fc.record({ name: fc.constantFrom('one', 'two') }) }),
  fc.constant({ persistentVolumeClaim: { claimName: 'disk' } }),
);
const mount = fc.record({ name: fc.constantFrom(...volumeNames), readOnly: fc.boolean() }, { requiredKeys: ['name'] });
const port = fc.record({ name: fc.constantFrom('web', 'admin') }, { requiredKeys: [] });
const ports = fc
  .uniqueArray(fc.constantFrom(80, 443, 8080), { maxLength: 2 })
  .chain((chosen) => fc.tuple(...chosen.map((containerPort) => port.map((rest) => ({ containerPort, ...rest })))));
const resources = fields({ requests: some(quantities), limits: some(quantities) });
const toleration = fc.record({ key: fc.constantFrom('x', 'y'), operator: fc.constant('Exists') });

const nonEmpty = <T>(list: fc.Arbitrary<T[]>) => list.map((items) => (items.length === 0 ? undefined : items));
const container = fields({
  env: nonEmpty(named(envNames, envSource)),
  resources,
  ports: nonEmpty(ports),
  volumeMounts: nonEmpty(named(mountPaths, mount, 'mountPath')),
  command: some(fc.array(fc.constantFrom('sh', 'run'), { minLength: 1, maxLength: 2 })),
});

const withImage = fc.tuple(image, container).map(([name, more]) => ({ image: name, ...more }));

export const templates: fc.Arbitrary<Template> = fc.record({
  metadata: fields({ labels: some(textMap), annotations: some(textMap) }),
  spec: fc
    .record({
      containers: named(containerNames, withImage, 'name', 1),
      more: fields({
        initContainers: nonEmpty(named(['runtime', 'csi'], withImage)),
        volumes: nonEmpty(named(volumeNames, volumeSource)),
        nodeSelector: some(textMap),
        tolerations: nonEmpty(fc.array(toleration, { maxLength: 2 })),
        imagePullSecrets: nonEmpty(named(['one', 'two'], fc.constant({}))),
        terminationGracePeriodSeconds: some(fc.constantFrom(5, 30)),
      }),
    })
    .map(({ containers, more }) => ({ containers, ...more })),
});

const orDelete = <T extends object>(names: readonly string[], item: fc.Arbitrary<T>, key = 'name') =>
  named(
    names,
    fc.oneof({ weight: 4, arbitrary: item }, { weight: 1, arbitrary: fc.constant({ $patch: 'delete' }) }),
    key,
  );
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 5 });
const mapPatch = fc.dictionary(fc.constantFrom('team', 'app', 'tier'), orNull(value), { maxKeys: 3 });
const quantityPatch = fc.dictionary(fc.constantFrom('cpu', 'memory'), orNull(fc.constantFrom('1', '4Gi')));

const envPatch = fc.oneof(
  fc.record({ value }),
  fc.record({ value, valueFrom: fc.constant(null) }),
  fc.constant({ valueFrom: { secretKeyRef: { name: 'keys', key: 'other' } }, value: null }),
);

/** One container; `lists` that the template may lack come with deletions only where those mean the same there. */
const containerPatch = fields({
  image: orNull(image),
  env: orNull(orDelete(envNames, envPatch)),
  resources: orNull(fields({ requests: quantityPatch, limits: orNull(quantityPatch) })),
  ports: orNull(ports),
  volumeMounts: orNull(orDelete(mountPaths, mount, 'mountPath')),
  command: orNull(fc.array(fc.constantFrom('sh', 'other'), { maxLength: 2 })),
});

/** As people write them, with nulls and `$patch: delete`. */
export const patches: fc.Arbitrary<Record<string, unknown>> = fields({
  metadata: fields({ labels: orNull(mapPatch), annotations: orNull(mapPatch) }),
  spec: fields({
    containers: orNull(orDelete(containerNames, containerPatch)),
    initContainers: orDelete(['runtime', 'csi'], containerPatch),
    volumes: orNull(orDelete(volumeNames, volumeSource)),
    nodeSelector: orNull(mapPatch),
    tolerations: orNull(fc.array(toleration, { maxLength: 2 })),
    imagePullSecrets: orDelete(['one', 'two'], fc.constant({})),
    terminationGracePeriodSeconds: orNull(fc.constantFrom(5, 60)),
  }),
});

import { NO_QUANTITY, parseQuantity } from '../../../quantity';
import { type Cause, duplicate, invalidValue, required, unsupportedValue } from '../../core/causes';
import { dnsLabelProblems, validateLabels } from '../../core/names';
import { type Fields, fieldsOf, listOf, textOf } from '../../core/objects';

const RESERVED_PREFIX = 'e2b.agents.kruise.io/';

/** The template rules of `v-sbs.kb.io` and `v-sbt.kb.io`: reserved metadata keys, then the pod template itself. */
export function validateTemplate(template: unknown, claims: readonly unknown[], causes: Cause[]): void {
  for (const [map, noun] of [
    ['labels', 'label'],
    ['annotations', 'annotation'],
  ] as const) {
    for (const key of Object.keys(fieldsOf(template, 'metadata', map))) {
      if (key.startsWith(RESERVED_PREFIX)) {
        causes.push(invalidValue(`spec.template.${map}[${key}]`, key, `${noun} cannot start with ${RESERVED_PREFIX}`));
      }
    }
  }
  validateLabels(fieldsOf(template, 'metadata', 'labels'), 'spec.template.labels', causes);

  const spec = fieldsOf(template, 'spec');
  validatePodSpec(spec, 'spec.template.spec', claims, causes);
  claims.forEach((claim, index) => {
    const name = textOf(claim, 'metadata', 'name');
    const mounted = listOf(spec, 'containers').some((container) =>
      listOf(container, 'volumeMounts').some((mount) => textOf(mount, 'name') === name),
    );
    if (!mounted) {
      causes.push(
        invalidValue(`spec.volumeClaimTemplates[${index}].name`, name, 'must be mounted by at least one container'),
      );
    }
  });
}

/** The rules of a pod's spec; `claims` are volume claims that its containers may mount too. */
export function validatePodSpec(spec: Fields, path: string, claims: readonly unknown[], causes: Cause[]): void {
  const volumes = new Set(
    [...listOf(spec, 'volumes'), ...claims.map((claim) => fieldsOf(claim, 'metadata'))].map((item) =>
      textOf(item, 'name'),
    ),
  );
  const names = new Set<string>();
  if (listOf(spec, 'containers').length === 0) causes.push(required(`${path}.containers`));
  for (const list of ['containers', 'initContainers'] as const) {
    listOf(spec, list).forEach((container, index) => {
      validateContainer(container, `${path}.${list}[${index}]`, names, volumes, causes);
    });
  }
  const restartPolicies = ['Always', 'OnFailure', 'Never'];
  if (spec.restartPolicy !== undefined && !restartPolicies.includes(textOf(spec, 'restartPolicy'))) {
    causes.push(unsupportedValue(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies));
  }
}

function validateContainer(
  container: unknown,
  path: string,
  names: Set<string>,
  volumes: ReadonlySet<string>,
  causes: Cause[],
): void {
  const name = textOf(container, 'name');
  if (name === '') causes.push(required(`${path}.name`));
  else if (names.has(name)) causes.push(duplicate(`${path}.name`, name));
  else causes.push(...dnsLabelProblems(name).map((problem) => invalidValue(`${path}.name`, name, problem)));
  names.add(name);

  const image = textOf(container, 'image');
  if (image === '') causes.push(required(`${path}.image`));
  else if (image !== image.trim()) {
    causes.push(invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  }
  listOf(container, 'volumeMounts').forEach((mount, index) => {
    const volume = textOf(mount, 'name');
    if (!volumes.has(volume)) {
      causes.push({
        reason: 'FieldValueNotFound',
        message: `Not found: ${JSON.stringify(volume)}`,
        field: `${path}.volumeMounts[${index}].name`,
      });
    }
    if (textOf(mount, 'mountPath') === '') causes.push(required(`${path}.volumeMounts[${index}].mountPath`));
  });
  listOf(container, 'env').forEach((variable, index) => {
    if (textOf(variable, 'name') === '') causes.push(required(`${path}.env[${index}].name`));
  });
  validateResources(container, `${path}.resources`, causes);
}

function validateResources(container: unknown, path: string, causes: Cause[]): void {
  const limits = fieldsOf(container, 'resources', 'limits');
  for (const list of ['limits', 'requests'] as const) {
    for (const [name, amount] of Object.entries(fieldsOf(container, 'resources', list))) {
      const value = parseQuantity(amount);
      if (value === undefined) {
        causes.push(invalidValue(`${path}.${list}[${name}]`, amount, NO_QUANTITY));
        continue;
      }
      if (value < 0) {
        causes.push(invalidValue(`${path}.${list}[${name}]`, amount, 'must be greater than or equal to 0'));
      }
      const limit = parseQuantity(limits[name]);
      if (list === 'requests' && limit !== undefined && value > limit) {
        causes.push(
          invalidValue(
            `${path}.requests`,
            amount,
            `must be less than or equal to ${name} limit of ${String(limits[name])}`,
          ),
        );
      }
    }
  }
}

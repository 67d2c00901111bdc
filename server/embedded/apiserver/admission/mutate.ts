import { deepEqual, type Fields, fieldsOf, isFields, type KubeObject, withValue } from '../core/objects';
import { deniedByWebhook } from '../core/status';
import { defaultPodSpec } from '../kinds/pods/defaults';
import { builtInSchema } from '../kinds/schemas';
import { keepKnown } from '../schema/structural-schema';

const WEBHOOK = 'md-sbs.kb.io';

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : isFields(value) ? 'object' : typeof value;
}

/** The webhook decodes the object before it looks at it, so a wrong type is refused here, with 400. */
function decode(object: KubeObject): void {
  const spec = fieldsOf(object, 'spec');
  const refuse = (value: unknown, field: string, type: string) => {
    throw deniedByWebhook(
      WEBHOOK,
      `json: cannot unmarshal ${typeName(value)} into Go struct field ${field} of type ${type}`,
      400,
    );
  };
  if (spec.replicas !== undefined && typeof spec.replicas !== 'number') {
    refuse(spec.replicas, 'SandboxSetSpec.spec.replicas', 'int32');
  }
  for (const [strategy, type] of [
    ['scaleStrategy', 'SandboxSetScaleStrategy'],
    ['updateStrategy', 'SandboxSetUpdateStrategy'],
  ] as const) {
    const { maxUnavailable } = fieldsOf(spec, strategy);
    if (maxUnavailable !== undefined && typeof maxUnavailable !== 'string' && typeof maxUnavailable !== 'number') {
      refuse(maxUnavailable, `${type}.spec.${strategy}.maxUnavailable`, 'int32');
    }
  }
  const { containers } = fieldsOf(spec, 'template', 'spec');
  if (containers !== undefined && !Array.isArray(containers)) {
    refuse(containers, 'PodSpec.spec.template.spec.containers', '[]v1.Container');
  }
}

/** `spec.template` with every default of a pod, no service account token, and no field that a pod does not have. */
function defaultTemplate(template: Fields): Fields {
  const known = keepKnown(fieldsOf(template, 'spec'), builtInSchema('io.k8s.api.core.v1.PodSpec'), []);
  return {
    ...template,
    spec: { ...defaultPodSpec(known), automountServiceAccountToken: false },
  };
}

/**
 * `md-sbs.kb.io`. It answers with the object as Go writes it, so `replicas: 0` and `scaleStrategy: {}` appear; but only
 * when one of its defaults was missing. An update of a pool that has them all passes through as it is.
 */
export function mutateSandboxSet(object: KubeObject): KubeObject {
  decode(object);
  const spec = fieldsOf(object, 'spec');
  const updateStrategy = fieldsOf(spec, 'updateStrategy');
  let result: Fields = {
    ...spec,
    updateStrategy: { ...updateStrategy, maxUnavailable: updateStrategy.maxUnavailable ?? '20%' },
  };
  if (isFields(spec.template)) result = { ...result, template: defaultTemplate(spec.template) };
  if (deepEqual(result, spec)) return object;
  return {
    ...object,
    spec: { ...result, replicas: spec.replicas ?? 0, scaleStrategy: spec.scaleStrategy ?? {} },
  };
}

/** `md-sbt.kb.io`, on create only. */
export function mutatePoolTemplate(object: KubeObject): KubeObject {
  const { template } = fieldsOf(object, 'spec');
  if (!isFields(template)) return object;
  return { ...object, spec: withValue(fieldsOf(object, 'spec'), ['template'], defaultTemplate(template)) };
}

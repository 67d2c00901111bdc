import { quantityProblem } from '../../../quantity';
import type { KindRules } from '../../core/kind-definition';
import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf } from '../../core/objects';
import { defaultPodSpec } from './defaults';
import { qosClassOf } from './qos-class';
import { resized, validateResize } from './resize';
import { validatePodSpec } from './template';
import { validatePodUpdate } from './updates';

export const POD_RULES: KindRules = {
  problem: (raw) => quantityProblem(amountsOf(raw)),
  prepare: (object) => {
    const spec = preparePodSpec(fieldsOf(object, 'spec'));
    return { ...object, spec, status: { phase: 'Pending', qosClass: qosClassOf(spec) } };
  },
  normalize: (object) => ({ ...object, spec: withTolerations(fieldsOf(object, 'spec')) }),
  normalizeStatus: (status) => {
    if (!isFields(status)) return {};
    const addressed = withAddresses(status);
    if (!Array.isArray(status.conditions)) return addressed;
    // Conditions say when they changed, even where nobody has said so.
    const conditions = status.conditions.map((condition) =>
      isFields(condition) ? { lastProbeTime: null, lastTransitionTime: null, ...condition } : condition,
    );
    return { ...addressed, conditions };
  },
  resize: resized,
  validate: (object, old, part, causes) => {
    if (part === 'resize' && old !== undefined) validateResize(object, old, causes);
    if (part !== 'main') return;
    if (old === undefined) validatePodSpec(fieldsOf(object, 'spec'), 'spec', [], causes);
    else validatePodUpdate(object, old, causes);
  },
  selected: (object, path) =>
    path === 'spec.hostNetwork' ? String(fieldsOf(object, 'spec').hostNetwork ?? false) : undefined,
  grace: (object, asked) => {
    // Nothing has to stop where no node runs it.
    if (textOf(object, 'spec', 'nodeName') === '') return 0;
    if (['Succeeded', 'Failed'].includes(textOf(object, 'status', 'phase'))) return 0;
    return asked ?? numberOf(object, 'spec', 'terminationGracePeriodSeconds') ?? 30;
  },
};

/** Everything that its containers ask for. */
const amountsOf = (pod: Fields): unknown[] =>
  ['containers', 'initContainers']
    .flatMap((list) => listOf(pod, 'spec', list))
    .flatMap((container) =>
      ['limits', 'requests'].flatMap((list) => Object.values(fieldsOf(container, 'resources', list))),
    );

/** A pod has one address twice: where the two differ, `podIP` is the one that counts. */
function withAddresses(status: Fields): Fields {
  const ip = textOf(status, 'podIP');
  const first = textOf(listOf(status, 'podIPs')[0], 'ip');
  if (ip !== '' && ip !== first) return { ...status, podIPs: [{ ip }] };
  return first === '' || ip === first ? status : { ...status, podIP: first };
}

/** Pod defaults and what the API server's own admission adds (priority, tolerations of an unreachable node). */
function preparePodSpec(spec: Fields): Fields {
  return withTolerations({
    ...defaultPodSpec(spec),
    enableServiceLinks: spec.enableServiceLinks ?? true,
    preemptionPolicy: spec.preemptionPolicy ?? 'PreemptLowerPriority',
    priority: spec.priority ?? 0,
  });
}

/** Every write of a pod makes it stay on a node that is away for a while. */
function withTolerations(spec: Fields): Fields {
  const tolerations = listOf(spec, 'tolerations');
  const tolerate = (key: string) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !tolerations.some((toleration) => isFields(toleration) && toleration.key === key),
  );
  return missing.length === 0 ? spec : { ...spec, tolerations: [...tolerations, ...missing.map(tolerate)] };
}

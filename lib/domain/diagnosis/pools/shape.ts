import { isTrue } from '../../facts';
import { kubectlDelete, kubectlGet } from '../../kubectl';
import { unseenSince } from '../../pools';
import { list, record, text } from '../../read';
import { conditionsOf } from '../read-sandbox';
import { type Rule, said } from '../rule';
import { checkController, readEvents, step, touch, wait } from '../steps';
import { issue, type PoolScene } from './scene';

const isNew = 30_000;

/** Accepted, and then neither status, nor event, nor sandbox (T57). */
export const poolNoTemplate: Rule<PoolScene> = {
  code: 'PoolNoTemplate',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => issue(scene, 'NoTemplate') !== undefined,
  evidence: ({ pool }) => [
    said('SandboxSet spec.template', 'none'),
    said('SandboxSet spec.templateRef', 'none'),
    said('SandboxSet status.observedGeneration', pool.obs ?? 'none'),
  ],
  steps: () => [step('WriteTemplateInline')],
  useless: () => [wait(), step('TouchPool')],
};

export const poolTemplateMissing: Rule<PoolScene> = {
  code: 'PoolTemplateMissing',
  kind: 'fault',
  confidence: 'certain',
  applies: ({ pool, template }) => pool.templateRef !== undefined && template === null,
  evidence: ({ pool }) => [
    said('SandboxSet spec.templateRef.name', pool.templateRef),
    said('SandboxTemplate', `${pool.ns}/${pool.templateRef}: none`),
    said('SandboxSet status.observedGeneration', pool.obs ?? 'none'),
  ],
  steps: ({ pool }) => [
    step('CreateTemplate', {
      values: { template: pool.templateRef ?? '' },
      kubectl: [kubectlGet(pool.ns, 'sandboxtemplates')],
    }),
  ],
  useless: () => [wait()],
};

/** The name becomes the value of a label (T51). */
export const poolNameTooLong: Rule<PoolScene> = {
  code: 'PoolNameTooLong',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => issue(scene, 'NameTooLong') !== undefined,
  evidence: ({ pool, events }) => [
    said('SandboxSet metadata.name length', pool.name.length),
    said('Event CreateSandboxFailed', events?.find(({ reason }) => reason === 'CreateSandboxFailed')?.message),
  ],
  steps: ({ pool }) => [step('RenamePool', { kubectl: [kubectlDelete(pool.ns, 'sandboxsets', pool.name)] })],
  useless: () => [wait()],
};

/** Of newer versions: too many members fail to start, and none is made until fewer do (domain 7.6). */
export const poolScalingLimited: Rule<PoolScene> = {
  code: 'PoolScalingLimited',
  kind: 'fault',
  confidence: 'certain',
  applies: ({ object }) => isTrue(limited(object)),
  evidence: ({ object }) => [
    said('SandboxSet status.conditions[ScalingLimited].reason', limited(object)?.reason),
    said('SandboxSet status.conditions[ScalingLimited].message', limited(object)?.message),
  ],
  steps: ({ pool }) => [step('RemoveBroken'), readEvents(pool)],
};

const limited = (object: unknown) => conditionsOf(record(record(object).status).conditions).ScalingLimited;

/** Newest spec not looked at; a create or delete that the controller lost sight of holds it for a minute (T21). */
export const poolNotSeen: Rule<PoolScene> = {
  code: 'PoolNotSeen',
  kind: 'fault',
  confidence: 'likely',
  applies: ({ pool, stats, now }) => {
    if (!stats.lag) return false;
    const since = unseenSince(pool);
    return since !== undefined && now - since > isNew;
  },
  evidence: ({ pool }) => [
    said('SandboxSet metadata.generation', pool.gen),
    said('SandboxSet status.observedGeneration', pool.obs ?? 'none'),
  ],
  steps: () => [checkController()],
};

/** Somebody has just changed it, or nobody has watched for how long it has been so. */
export const poolNotSeenYet: Rule<PoolScene> = {
  ...poolNotSeen,
  kind: 'wait',
  confidence: 'certain',
  applies: (scene) => scene.stats.lag && !poolNotSeen.applies(scene),
  steps: () => [wait(), checkController()],
};

/** Two writers of the same number: a scale by hand does not stay (T39). */
export const poolAutoscaled: Rule<PoolScene> = {
  code: 'PoolAutoscaled',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => autoscalerOf(scene) !== undefined,
  evidence: (scene) => [said('PoolAutoscaler', autoscalerOf(scene)?.metadata.name)],
  steps: () => [step('SuspendAutoscaler')],
};

const autoscalerOf = ({ pool, autoscalers }: PoolScene) =>
  autoscalers?.find(({ spec }) => {
    const { scaleTargetRef, suspend } = record(spec);
    return text(record(scaleTargetRef).name) === pool.name && suspend !== true;
  });

/** A key of an administrator takes a sandbox from any of them (T41). */
export const poolNameTwice: Rule<PoolScene> = {
  code: 'PoolNameTwice',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => namesakes(scene).length > 0,
  evidence: (scene) => [said('SandboxSet', namesakes(scene).join(', '))],
  steps: () => [step('NameNamespace')],
};

const namesakes = ({ pool, pools = [] }: PoolScene): string[] =>
  pools.filter(({ ns, name }) => name === pool.name && ns !== pool.ns).map(({ ns, name }) => `${ns}/${name}`);

/** Pods of members up to date by their label, with other images than the template they are made from has now (T22). */
export const poolTemplateNotRolled: Rule<PoolScene> = {
  code: 'PoolTemplateNotRolled',
  kind: 'fault',
  confidence: 'likely',
  applies: (scene) => !scene.stats.lag && oldImages(scene).length > 0,
  evidence: (scene) =>
    oldImages(scene).flatMap(({ container, pod, template }) => [
      said(`SandboxTemplate spec.template.spec.containers[${container}].image`, template),
      said(`Pod spec.containers[${container}].image`, pod),
    ]),
  steps: ({ pool }) => [step('TouchPool', { kubectl: [touch(pool, 'sandboxsets')] })],
  useless: () => [wait()],
};

interface OldImage {
  container: string;
  pod: string;
  template: string;
}

function oldImages({ pool, template, pods = [], members }: PoolScene): OldImage[] {
  if (pool.templateRef === undefined || !template) return [];
  const current = new Set(
    members
      .filter(({ idle, hash, state }) => idle && state === 'Available' && hash === pool.revision)
      .map(({ name }) => name),
  );
  const wanted = record(record(record(template.spec).template).spec).containers;
  const pod = pods.find(({ metadata }) => current.has(metadata.name) && metadata.deletionTimestamp === undefined);
  if (!pod) return [];
  const images = new Map(
    list(record(pod.spec).containers).map((each) => [record(each).name, text(record(each).image)]),
  );
  return list(wanted).flatMap((each) => {
    const container = text(record(each).name) ?? '';
    const asked = text(record(each).image);
    const has = images.get(container);
    return asked !== undefined && has !== undefined && asked !== has ? [{ container, pod: has, template: asked }] : [];
  });
}

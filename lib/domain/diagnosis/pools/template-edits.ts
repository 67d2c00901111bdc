import { controllerOf, type Json, list, record, text } from '../../read';
import { parseTime } from '../../time';
import { type Rule, said } from '../rule';
import { step } from '../steps';
import type { PoolScene } from './scene';

/** What a container has beside its name and image that a user gives it. */
const ownFields = [
  ...['env', 'envFrom', 'resources', 'volumeMounts', 'ports', 'command', 'args', 'lifecycle', 'workingDir'],
  ...['readinessProbe', 'livenessProbe', 'startupProbe', 'securityContext'],
];

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const fieldsOf = (container: Json): string[] => ownFields.filter((field) => !isEmpty(container[field]));

const podSpecOf = (spec: unknown): Json => record(record(record(spec).template).spec);

/** The template of its own that it had before: the controller keeps one of each revision, `<pool>-<revision>` (domain 5.1). */
function templateBefore({ pool, templates = [] }: PoolScene) {
  const at = (object: unknown) => parseTime(record(record(object).metadata).creationTimestamp) ?? 0;
  return templates
    .filter(
      (object) => controllerOf(object)?.uid === pool.uid && object.metadata.name !== `${pool.name}-${pool.revision}`,
    )
    .sort((a, b) => at(b) - at(a))[0];
}

interface Wiped {
  container: string;
  had: string[];
}

function wipedContainers(scene: PoolScene): Wiped[] {
  const before = list(podSpecOf(templateBefore(scene)?.spec).containers).map(record);
  return list(podSpecOf(scene.object?.spec).containers)
    .map(record)
    .flatMap((container) => {
      const name = text(container.name) ?? '';
      const had = fieldsOf(before.find((each) => each.name === name) ?? {});
      // One field may have been taken away on purpose; all at once is what a merge patch of the list does.
      return had.length > 1 && fieldsOf(container).length === 0 ? [{ container: name, had }] : [];
    });
}

/** A merge patch replaces the whole list of containers: what it does not name is gone (T45). */
export const poolContainerWiped: Rule<PoolScene> = {
  code: 'PoolContainerWiped',
  kind: 'hint',
  confidence: 'likely',
  applies: (scene) => !scene.stats.lag && wipedContainers(scene).length > 0,
  evidence: (scene) =>
    wipedContainers(scene).flatMap(({ container, had }) => [
      said(
        `SandboxTemplate ${templateBefore(scene)?.metadata.name} spec.template.spec.containers[${container}]`,
        had.join(', '),
      ),
      said(`SandboxSet spec.template.spec.containers[${container}]`, 'name, image'),
    ]),
  steps: () => [step('RestoreFields')],
};

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function applied({ object }: PoolScene): unknown {
  try {
    return podSpecOf(record(JSON.parse(object?.metadata.annotations?.[lastApplied] ?? '')).spec)
      .automountServiceAccountToken;
  } catch {
    return undefined;
  }
}

/** Only whoever applies files leaves what was asked for; the webhook writes false whatever it was (T36). */
export const poolTokenForced: Rule<PoolScene> = {
  code: 'PoolTokenForced',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => applied(scene) === true && podSpecOf(scene.object?.spec).automountServiceAccountToken === false,
  evidence: () => [
    said(`SandboxSet metadata.annotations[${lastApplied}] automountServiceAccountToken`, true),
    said('SandboxSet spec.template.spec.automountServiceAccountToken', false),
  ],
  steps: () => [],
};

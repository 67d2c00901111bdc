import { isTrue } from '../../facts';
import { record, text } from '../../read';
import { isActive } from '../../upgrades/view';
import { type Rule, said } from '../rule';
import { condition, isDead, lags, type SandboxScene, saidCondition } from '../scene';
import { patchStep, pointer, step } from '../steps';
import { inplaceSuperseded } from './inplace';
import { operationName, operationOf } from './upgrade';

const prefix = 'agents.kruise.io/';

const policyOf = ({ more }: SandboxScene): string | undefined =>
  more && text(record(record(more.sandbox.spec).upgradePolicy).type);

/** No operation that could still take it away: it stays for ever, and the next edit of the template replaces the Pod (T44, T56). */
export const leftoverPolicy: Rule<SandboxScene> = {
  code: 'LeftoverPolicy',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => {
    const op = operationOf(scene);
    if (policyOf(scene) === undefined || op === undefined || scene.facts.phase === 'Upgrading') return false;
    if (isDead(scene)) return false;
    return scene.facts.deleting === undefined && !lags(scene) && (op === null || !isActive(op));
  },
  evidence: (scene) => [
    said('Sandbox spec.upgradePolicy.type', policyOf(scene)),
    said(`Sandbox metadata.labels[${prefix}update-ops]`, (scene.more && operationName(scene.more.sandbox)) ?? 'none'),
    said('SandboxUpdateOps status.phase', operationOf(scene)?.phase ?? 'none'),
  ],
  steps: ({ more }) =>
    more ? [patchStep('RemovePolicy', more, 'sandboxes', [{ op: 'remove', path: '/spec/upgradePolicy' }])] : [],
};

const failedLabel = `${prefix}upgrade-failed`;

/** Not removed with the operation; the failure is over (T13). */
export const leftoverFailedLabel: Rule<SandboxScene> = {
  code: 'LeftoverFailedLabel',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) =>
    scene.more?.sandbox.metadata.labels?.[failedLabel] === 'true' &&
    !isDead(scene) &&
    scene.facts.phase !== 'Upgrading' &&
    !lags(scene),
  evidence: (scene) => [said(`Sandbox metadata.labels[${failedLabel}]`, 'true'), ...saidCondition(scene, 'Upgrading')],
  steps: ({ more }) =>
    more
      ? [
          patchStep('RemoveFailedLabel', more, 'sandboxes', [
            { op: 'remove', path: pointer('metadata', 'labels', failedLabel) },
          ]),
        ]
      : [],
};

const finalizer = `${prefix}sandbox`;

/** Un-paused by its user during an upgrade that had woken it: only its deletion will need the controller (T53). */
export const leftoverFinalizer: Rule<SandboxScene> = {
  code: 'LeftoverFinalizer',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => {
    const { facts } = scene;
    return (
      facts.phase === 'Running' &&
      !facts.paused &&
      facts.deleting === undefined &&
      !lags(scene) &&
      facts.finalizers.includes(finalizer)
    );
  },
  evidence: ({ facts }) => [
    said('Sandbox metadata.finalizers', facts.finalizers.join(', ')),
    said('Sandbox status.phase', facts.phase),
  ],
  steps: () => [step('Wait')],
};

/** Only metadata, images and resources can be changed in place; the rest of an edit is refused again and again (T14). */
export const templateChangeIgnored: Rule<SandboxScene> = {
  code: 'TemplateChangeIgnored',
  kind: 'hint',
  confidence: 'likely',
  applies: (scene) => {
    if (policyOf(scene) !== undefined || !forbidden(scene) || inplaceSuperseded.applies(scene)) return false;
    // After an upgrade the write-once hash differs for ever: then the event is noise while the Pod is of the newest template.
    const revision = text(record(scene.more?.sandbox.status).updateRevision);
    const ofPod = text(record(scene.more?.pod?.metadata.labels)['pod-template-hash']);
    return !(isTrue(condition(scene, 'Upgrading')) && ofPod !== undefined && ofPod === revision);
  },
  evidence: (scene) => [
    said('Event InplaceUpdateForbidden', forbidden(scene)?.message),
    said('Event InplaceUpdateForbidden count', forbidden(scene)?.count),
  ],
  steps: () => [step('RecreateUpgrade', { loses: ['memory', 'rootFileSystem', 'address'] })],
  useless: () => [step('NewTemplateAlone')],
};

const forbidden = ({ more }: SandboxScene) => more?.events?.find(({ reason }) => reason === 'InplaceUpdateForbidden');

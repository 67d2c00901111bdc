import type { JsonPatchOp } from '@/lib/contracts/writes';
import { kubectlDelete, kubectlDescribe, kubectlGet, kubectlJsonPatch, quote } from '../kubectl';

export const stepCodes = [
  'Wait',
  'CheckController',
  'RetagThenReplacePod',
  'RetagInjectionThenReplacePod',
  'RetagTemplateThenReplacePod',
  'RetagThenResume',
  'RetagTemplate',
  'RetagInjection',
  'RetagPool',
  'RetagPoolTemplate',
  'CheckNode',
  'BringNodeBack',
  'ReleasePodFinalizer',
  'ForceDeletePod',
  'DescribePod',
  'FixScheduling',
  'FixImage',
  'ReadLogs',
  'RaiseQuota',
  'CreateTemplate',
  'AddTemplate',
  'AddInjectionTemplate',
  'CheckRuntime',
  'ReadHookOutput',
  'RetryOperation',
  'FixWithOperation',
  'ContinueOperation',
  'RaiseLimit',
  'DeleteOperation',
  'TouchOperation',
  'WaitForOperation',
  'CreateChecked',
  'InstallCheckpoints',
  'RestoreAsRecreate',
  'RemoveLock',
  'RemovePolicy',
  'RemoveFailedLabel',
  'RemoveFinalizer',
  'AskFinalizerOwner',
  'ExtendShutdown',
  'NewSandbox',
  'ReplacePod',
  'PauseThenResume',
  'DeletePod',
  'PauseAgain',
  'NewTemplateAlone',
  'DeleteSandbox',
  'RecreateUpgrade',
  'Uncordon',
  'MoveSession',
  'RaiseScaleLimit',
  'RemoveBroken',
  'RaiseBudget',
  'TouchPool',
  'RenamePool',
  'SuspendAutoscaler',
  'WaitForEvent',
  'RestoreTemplate',
  'RestoreFields',
  'WriteTemplateInline',
  'CountSandboxes',
  'UpdateLater',
  'ReclaimLater',
  'CreatePool',
  'DeleteClaim',
  'FillPool',
  'KeepOutside',
  'UpgradeClaimed',
  'ReadEvents',
  'ReadCheckpoint',
  'DeleteCheckpoint',
  'NameNamespace',
] as const;
export type StepCode = (typeof stepCodes)[number];

/** What a step costs, as far as pauses and new Pods lose it (domain 4.4): volumes survive all but `sandbox`. `cleanUp`: what the owner of a finalizer would have cleaned up. */
export type Loss = 'memory' | 'rootFileSystem' | 'address' | 'session' | 'sandbox' | 'cleanUp';

export interface Step {
  code: StepCode;
  /** For the sentence. */
  values: Readonly<Record<string, string>>;
  /** Lines that do it in a terminal, in this order. */
  kubectl: string[];
  loses: Loss[];
}

export interface Target {
  ns: string;
  name: string;
}

export function step(
  code: StepCode,
  {
    values = {},
    kubectl = [],
    loses = [],
  }: { values?: Record<string, string>; kubectl?: string[]; loses?: Loss[] } = {},
): Step {
  return { code, values, kubectl, loses };
}

/** What a new Pod in place of the old one loses. */
export const podLosses: Loss[] = ['memory', 'rootFileSystem', 'address'];

export const wait = (): Step => step('Wait');
export const checkController = (): Step => step('CheckController');

export const describePod = ({ ns, name }: Target): Step =>
  step('DescribePod', { kubectl: [kubectlDescribe(ns, 'pod', name)] });

export const deletePod = ({ ns, name }: Target, code: StepCode = 'DeletePod'): Step =>
  step(code, { kubectl: [kubectlDelete(ns, 'pod', name)], loses: podLosses });

/** A new Pod for a sandbox that runs: one whose Pod is merely deleted has failed for ever (T25). */
export const pauseThenResume = ({ ns, name }: Target): Step => {
  const paused = (value: boolean) =>
    kubectlJsonPatch(ns, 'sandboxes', name, [{ op: 'add', path: '/spec/paused', value }]);
  return step('PauseThenResume', { kubectl: [paused(true), paused(false)], loses: podLosses });
};

export const deleteSandbox = ({ ns, name }: Target): Step =>
  step('DeleteSandbox', { kubectl: [kubectlDelete(ns, 'sandboxes', name)], loses: ['session', 'sandbox'] });

/** Where the controller reads what it injects for a runtime; its namespace differs by install. */
export const findInjection = `${kubectlGet(undefined, 'configmaps')} -A --field-selector metadata.name=sandbox-injection-config`;

export const readEvents = ({ ns }: Target): Step => step('ReadEvents', { kubectl: [kubectlGet(ns, 'events')] });

/** Any change wakes a controller that looks at an object when it changes only. */
export const touch = ({ ns, name }: Target, kind: string): string =>
  `kubectl -n ${quote(ns)} annotate ${kind}/${quote(name)} touched=1 --overwrite`;

export const logs = ({ ns, name }: Target, container: string, ...flags: string[]): string =>
  ['kubectl', '-n', quote(ns), 'logs', `pod/${quote(name)}`, '-c', quote(container), ...flags].join(' ');

/** A path inside an object with the slashes of a key escaped (RFC 6901). */
export const pointer = (...keys: (string | number)[]): string =>
  keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const patchStep = (
  code: StepCode,
  { ns, name }: Target,
  kind: string,
  patch: JsonPatchOp[],
  more: { values?: Record<string, string>; loses?: Loss[] } = {},
): Step => step(code, { ...more, kubectl: [kubectlJsonPatch(ns, kind, name, patch)] });

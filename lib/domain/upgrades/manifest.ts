import { type LabelSelector, selectionLabel, type UpgradeDraft, type UpgradeHook } from '@/lib/contracts/upgrades';
import { quote } from '../kubectl';
import { yamlText } from '../yaml-text';
import { selectorOf } from './selectors';

/** metav1 of an exec hook in spec.lifecycle. */
export interface LifecycleHook {
  exec: { command: string[] };
  timeoutSeconds?: number;
}
export interface UpgradeLifecycle {
  preUpgrade?: LifecycleHook;
  postUpgrade?: LifecycleHook;
}

export interface UpgradeManifest {
  apiVersion: 'agents.kruise.io/v1alpha1';
  kind: 'SandboxUpdateOps';
  metadata: { name: string; namespace: string; annotations?: Record<string, string> };
  spec: {
    selector: LabelSelector;
    updateStrategy: { type: UpgradeDraft['strategy']; maxUnavailable: UpgradeDraft['maxUnavailable'] };
    stateFilter?: { states: UpgradeDraft['states'] };
    patch?: Record<string, unknown>;
    lifecycle?: UpgradeLifecycle;
    paused?: true;
  };
}

/** On an operation that the console planned as a roll back: the name of the one that it undoes. */
export const rollsBackAnnotation = 'console.agents.kruise.io/rolls-back';

/** A draft without its change: the patch is made of that elsewhere. */
export type DraftSettings = Omit<UpgradeDraft, 'change' | 'guard'>;

/** The object that a draft stands for; without a patch it is one of hooks only. */
export function manifestOf(draft: DraftSettings, patch: Record<string, unknown> | undefined): UpgradeManifest {
  const { namespace, name, strategy, maxUnavailable, states } = draft;
  const selector = selectorOf(draft.targets, name) ?? { matchLabels: {} };
  const spec: UpgradeManifest['spec'] = { selector, updateStrategy: { type: strategy, maxUnavailable } };
  if (states.length !== 1 || states[0] !== 'Running') spec.stateFilter = { states };
  if (patch !== undefined) spec.patch = patch;
  const lifecycle = lifecycleOf(draft);
  if (lifecycle) spec.lifecycle = lifecycle;
  if (draft.paused) spec.paused = true;
  return { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxUpdateOps', metadata: { name, namespace }, spec };
}

/** spec.lifecycle, which replaces that of each sandbox; undefined takes theirs away (domain 6.5). */
export function lifecycleOf(
  draft: Partial<Pick<UpgradeDraft, 'preUpgrade' | 'postUpgrade'>>,
): UpgradeLifecycle | undefined {
  const lifecycle: UpgradeLifecycle = {};
  if (draft.preUpgrade) lifecycle.preUpgrade = hookOf(draft.preUpgrade);
  if (draft.postUpgrade) lifecycle.postUpgrade = hookOf(draft.postUpgrade);
  return Object.keys(lifecycle).length === 0 ? undefined : lifecycle;
}

function hookOf({ command, timeoutSeconds }: UpgradeHook): LifecycleHook {
  return { exec: { command }, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
}

export const manifestYaml = (manifest: UpgradeManifest): string => yamlText(manifest);

/** The lines that create it in a terminal; the shell reads nothing of the text. */
export function kubectlApply(yaml: string): string {
  const lines = yaml.split('\n');
  let end = 'EOF';
  while (lines.includes(end)) end += 'F';
  return `kubectl apply -f - <<'${end}'\n${yaml.endsWith('\n') ? yaml : `${yaml}\n`}${end}\n`;
}

/** More names than this make a line that some shells do not take. */
const namesInLine = 100;

/** The lines that mark sandboxes which were chosen one by one, as the operation selects them; '' for any others. */
export function kubectlMark({
  namespace,
  name,
  targets,
}: Pick<UpgradeDraft, 'namespace' | 'name' | 'targets'>): string {
  if (targets.by !== 'selection') return '';
  const names = targets.sandboxes.map((sandbox) => quote(sandbox.name));
  const lines: string[] = [];
  while (names.length > 0) {
    const some = names.splice(0, namesInLine).join(' ');
    lines.push(`kubectl -n ${quote(namespace)} label --overwrite sbx ${some} ${selectionLabel}=${name}\n`);
  }
  return lines.join('');
}

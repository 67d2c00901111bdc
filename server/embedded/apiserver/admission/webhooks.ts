import { idOf, type KindDefinition } from '../kinds';
import type { KubeObject } from '../objects';
import type { Storage } from '../storage';
import { mutatePoolTemplate, mutateSandboxSet } from './mutate';
import { validateSandboxSet, validateSandboxTemplate } from './sandbox-set';
import { validateUpdateOps } from './update-ops';

/** The webhooks that OpenKruise Agents installs, by the kind they see (openkruise/agents `pkg/webhook`, 0b72c83a). */
const MUTATING: Record<string, (object: KubeObject, old: KubeObject | undefined) => KubeObject> = {
  'sandboxsets.agents.kruise.io': mutateSandboxSet,
  'sandboxtemplates.agents.kruise.io': (object, old) => (old === undefined ? mutatePoolTemplate(object) : object),
};

const VALIDATING: Record<string, (object: KubeObject, old: KubeObject | undefined, storage: Storage) => void> = {
  'sandboxsets.agents.kruise.io': validateSandboxSet,
  'sandboxtemplates.agents.kruise.io': (object, old) => {
    if (old === undefined) validateSandboxTemplate(object);
  },
  'sandboxupdateops.agents.kruise.io': validateUpdateOps,
};

/** Defaults by webhook; comes before validation. */
export function mutate(kind: KindDefinition, object: KubeObject, old: KubeObject | undefined): KubeObject {
  return MUTATING[idOf(kind)]?.(object, old) ?? object;
}

/** Refusals by webhook; comes after validation. Throws a StatusError. */
export function admit(kind: KindDefinition, object: KubeObject, old: KubeObject | undefined, storage: Storage): void {
  VALIDATING[idOf(kind)]?.(object, old, storage);
}

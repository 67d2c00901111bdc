import { ApiError, type PatchType } from '../client/api';
import { collectionPath, objectPath, type Resource, resources } from '../client/resources';
import type { TestCluster } from './cluster';
import type { Recording, Step } from './recording';

const kinds: Record<string, Resource> = {
  sbs: resources.sandboxsets,
  'sandboxsets.agents.kruise.io': resources.sandboxsets,
  sbx: resources.sandboxes,
  sbc: resources.sandboxclaims,
  sbt: resources.sandboxtemplates,
  suo: resources.sandboxupdateops,
  cp: resources.checkpoints,
  pod: resources.pods,
  quota: { group: '', version: 'v1', plural: 'resourcequotas', kind: 'ResourceQuota', namespaced: true },
};

const timeScale = 2.5;
const delayScale = 20;

/** Times in the future come sooner, delays of simulated nodes get shorter; times that had passed stay passed. */
function rescale(text: string, recording: Recording, step: Step): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) => {
      const ahead = Date.parse(time) - recording.start - step.t * 1000;
      return new Date(Date.now() + (ahead > 0 ? Math.max(1500, ahead / timeScale) : ahead)).toISOString();
    })
    .replace(/("sim\.local\/st(?:art|op)-delay":")(\d+)s/g, (_, key: string, seconds: string) => {
      return `${key}${Math.round((Number(seconds) * 1000) / delayScale)}ms`;
    });
}

/** Does what a step's kubectl command did. `rename` maps generated names of the recording to those of this run. */
export async function perform(
  cluster: TestCluster,
  namespace: string,
  recording: Recording,
  step: Step,
  rename: (name: string) => string,
): Promise<void> {
  const [, verb = '', kind = '', rawName = ''] = step.action.split(' ');
  try {
    if (verb === 'create' || step.action.startsWith('POST')) {
      const body = JSON.parse(rescale(step.stdin ?? '', recording, step)) as { kind: string };
      const resource = Object.values(resources).find((one) => one.kind === body.kind);
      if (resource === undefined) throw new Error(`no resource of kind ${body.kind}`);
      await cluster.api.create(collectionPath(resource, namespace), body);
      return;
    }
    const resource = kinds[kind];
    if (resource === undefined) throw new Error(`step not understood: ${step.action}`);
    const object = { metadata: { name: rename(rawName), namespace } };
    const path = objectPath(resource, object);
    if (verb === 'delete') await cluster.api.remove(path);
    else if (verb === 'scale') {
      const replicas = Number(/--replicas[ =](\d+)/.exec(step.action)?.[1]);
      await cluster.api.patch(`${path}/scale`, { spec: { replicas } });
    } else if (verb === 'annotate') {
      const [key = '', value] = (step.action.split(' ')[4] ?? '').split('=');
      const annotations = key.endsWith('-') ? { [key.slice(0, -1)]: null } : { [key]: value };
      await cluster.api.patch(path, { metadata: { annotations } });
    } else if (verb === 'patch') {
      const body = JSON.parse(rescale(/-p '(.*)'$/s.exec(step.action)?.[1] ?? '', recording, step));
      const type = (/--type (\w+)/.exec(step.action)?.[1] ?? 'merge') as PatchType;
      const subresource = /--subresource (\w+)/.exec(step.action)?.[1];
      await cluster.api.patch(subresource === undefined ? path : `${path}/${subresource}`, body, type);
    } else throw new Error(`step not understood: ${step.action}`);
  } catch (error) {
    if (error instanceof ApiError && step.failed === true) return;
    throw error;
  }
  if (step.failed === true) throw new Error(`this step was refused in the recording: ${step.action}`);
}

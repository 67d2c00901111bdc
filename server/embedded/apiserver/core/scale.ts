import { parseObject } from '../wire/body';
import { jsonType } from '../wire/json-problem';
import type { Cluster } from './admission';
import type { DraftObject } from './decode';
import type { KindDefinition } from './kind-definition';
import { type Fields, fieldsOf, isFields, type KubeObject, numberOf, sortedJson, textOf, withValue } from './objects';
import { ownersOf } from './owners';
import { applyPatch } from './patch-body';
import { read } from './reads';
import type { ResourceRequest } from './requests';
import { badRequest, StatusError, undecodablePatch } from './status';
import { update } from './update';

/** The autoscaling/v1 Scale of an object. */
export function scaleOf({ scale }: KindDefinition, object: KubeObject, isRead = false): object {
  const { specReplicas = [], statusReplicas = [], selector: selectorPath = [] } = scale ?? {};
  const replicas = numberOf(object, ...specReplicas);
  if (isRead && replicas === undefined) {
    const message = `the spec replicas field ".${specReplicas.join('.')}" does not exist`;
    throw new StatusError(500, `Internal error occurred: ${message}`, 'InternalError', { causes: [{ message }] });
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = textOf(object, ...selectorPath);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: replicas ?? 0 },
    status: { replicas: numberOf(object, ...statusReplicas) ?? 0, ...(selector === '' ? {} : { selector }) },
  };
}

/** Changes the number of replicas, and nothing else, of the kind that a Scale stands for. */
export function writeScale(cluster: Cluster, request: ResourceRequest, dryRun: boolean): object {
  const { method, target, body } = request;
  const { kind } = target;
  const current = read(cluster.storage, target);
  const raw = method === 'PUT' ? parseObject(body, 'Scale') : applyPatch(body, scaleOf(kind, current.object));
  const given: Fields = isFields(raw) ? raw : {};
  const { replicas } = fieldsOf(given, 'spec');
  if (method === 'PATCH' && replicas !== undefined && typeof replicas !== 'number') {
    const why = `json: cannot unmarshal ${jsonType(replicas)} into Go struct field ScaleSpec.spec.replicas of type int32`;
    throw undecodablePatch(sortedJson(given), why);
  }
  if (replicas !== undefined && (typeof replicas !== 'number' || !Number.isInteger(replicas))) {
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  const { uid, resourceVersion } = fieldsOf(given, 'metadata');
  const metadata: DraftObject['metadata'] = { name: target.name };
  if (typeof uid === 'string') metadata.uid = uid;
  if (typeof resourceVersion === 'string') metadata.resourceVersion = resourceVersion;
  const draft: DraftObject = {
    ...current.object,
    ...withValue(current.object, kind.scale?.specReplicas ?? [], replicas ?? 0),
    metadata,
  };
  return scaleOf(kind, update(cluster, target, current, draft, 'scale', dryRun, ownersOf(request)));
}

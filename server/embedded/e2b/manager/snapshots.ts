import { type Checkpoint, checkpointSchema, keyOf } from '../../controllers/client/objects';
import { collectionPath, resources } from '../../controllers/client/resources';
import { annotation, label } from '../../controllers/rules/keys';
import { Refusal } from './answers';
import { type Handler, type Manager, ofSandbox, resourceOf, usableState } from './call';
import { decodeBody } from './go-json';
import type { User } from './keys';
import { limitOf, page } from './list';
import { snapshotSchema } from './requests';
import { idOf } from './sandbox-view';

const sandboxId = 'agents.kruise.io/sandbox-id';
const waitMs = 60_000;
const pollMs = 250;

/** Those that a key has made, oldest first. */
export const checkpointsOf = ({ cluster }: Manager, user: User): Checkpoint[] =>
  [...cluster.checkpoints.list()].filter(({ metadata }) => metadata.annotations?.[annotation.owner] === user.id);

/**
 * `POST /sandboxes/{id}/snapshots`: a Checkpoint, which stays also when nobody serves it in time (recorded: snapshot).
 * Nothing in the open-source controllers does.
 */
export const createSnapshot = ofSandbox(async ({ manager, user, headers, body, signal }, sandbox) => {
  decodeBody(body, snapshotSchema, 'NewSnapshotRequest');
  const { name, namespace, annotations } = sandbox.metadata;
  if (usableState(sandbox) !== 'running')
    throw new Refusal(400, `sandbox ${idOf(sandbox)} is not running; ${resourceOf(sandbox)}`);
  const request = annotations?.[annotation.initRequest];
  const made = checkpointSchema.parse(
    await manager.cluster.api.create(collectionPath(resources.checkpoints, namespace), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'Checkpoint',
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels: { [label.owner]: user.id, [label.sandboxName]: name },
        annotations: {
          ...(request === undefined ? {} : { [annotation.initRequest]: request }),
          [annotation.owner]: user.id,
          [sandboxId]: idOf(sandbox),
        },
      },
      spec: { podName: name },
    }),
  );
  const seconds = Number(headers['x-e2b-kruise-snapshot-wait-success-seconds'] ?? waitMs / 1000);
  const id = await servedId(manager, keyOf(made), seconds * 1000, signal);
  manager.metrics.snapshot(namespace ?? '', id === undefined ? 'failure' : 'success');
  if (id === undefined)
    throw new Refusal(
      0,
      `failed to wait checkpoint ready: object is not satisfied during double check; ${resourceOf(sandbox)}`,
    );
  return { status: 201, body: snapshotView(id, made) };
});

async function servedId({ cluster }: Manager, key: string, ms: number, signal: AbortSignal) {
  for (const until = Date.now() + ms; ; ) {
    const status = cluster.checkpoints.get(key)?.status;
    if (status?.phase === 'Succeeded' && status.checkpointId !== undefined) return status.checkpointId;
    const left = until - Date.now();
    if (left <= 0 || signal.aborted) return undefined;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, left)));
  }
}

const snapshotView = (id: string, { metadata }: Checkpoint) => ({ snapshotID: id, names: [metadata.name] });

/** `GET /snapshots`: those that were served. */
export const listSnapshots: Handler = ({ manager, user, query }) => {
  const limit = limitOf(query);
  const of = query.get('sandboxID');
  const all = checkpointsOf(manager, user)
    .filter(({ metadata }) => of === null || metadata.annotations?.[sandboxId] === of)
    .flatMap((checkpoint) => {
      const { phase, checkpointId } = checkpoint.status ?? {};
      if (phase !== 'Succeeded' || checkpointId === undefined) return [];
      const place = { key: checkpoint.metadata.creationTimestamp ?? '', id: checkpointId };
      return [{ checkpoint, place }];
    })
    .sort((a, b) => (a.place.key + a.place.id < b.place.key + b.place.id ? -1 : 1));
  return page(all, limit, query.get('nextToken'), ({ checkpoint, place }) => snapshotView(place.id, checkpoint));
};

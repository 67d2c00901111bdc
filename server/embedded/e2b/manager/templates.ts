import type { SandboxSet } from '../../controllers/client/objects';
import { objectPath, resources } from '../../controllers/client/resources';
import { noContent, ok, Refusal } from './answers';
import type { Handler } from './call';
import { poolsOf } from './create';
import { sizeOf } from './sandbox-view';
import { checkpointsOf } from './snapshots';

/** Another constant than that of sandboxes (recorded: other-routes). */
const envdVersion = '0.1.1';
const never = { lastSpawnedAt: null, spawnCount: 0 };

/** `GET /templates`: the pools. */
export const listTemplates: Handler = ({ manager, user }) => {
  const byName = (a: SandboxSet, b: SandboxSet) => (a.metadata.name < b.metadata.name ? -1 : 1);
  return ok(
    poolsOf(manager, user)
      .sort(byName)
      .map((set) => ({
        templateID: set.metadata.name,
        buildID: set.metadata.name,
        ...sizeOf(templateOf(manager, set)),
        public: true,
        ...namesOf(set),
        createdBy: null,
        ...never,
        buildCount: 1,
        envdVersion,
        buildStatus: statusOf(set),
      })),
  );
};

/** `GET /templates/{id}` */
export const getTemplate: Handler = ({ manager, user, params }) => {
  const set = poolsOf(manager, user).find(({ metadata }) => metadata.name === params.id);
  if (set === undefined) throw new Refusal(404, `Template not found: ${params.id}`);
  const { createdAt, updatedAt, ...names } = namesOf(set);
  const { cpuCount, memoryMB, diskSizeMB } = sizeOf(templateOf(manager, set));
  const build = {
    buildID: set.metadata.name,
    status: statusOf(set),
    createdAt,
    updatedAt,
    cpuCount,
    memoryMB,
    finishedAt: updatedAt,
    diskSizeMB,
    envdVersion,
  };
  return ok({ templateID: set.metadata.name, public: true, ...names, createdAt, updatedAt, ...never, builds: [build] });
};

/** `DELETE /templates/{id}`: checkpoints only; an unknown one is no mistake. */
export const deleteTemplate: Handler = async ({ manager, user, params }) => {
  if (poolsOf(manager, user).some(({ metadata }) => metadata.name === params.id))
    throw new Refusal(401, 'Deleting SandboxSet-backed templates through the E2B API is not supported');
  const checkpoint = checkpointsOf(manager, user).find(({ status }) => status?.checkpointId === params.id);
  if (checkpoint !== undefined) await manager.cluster.api.remove(objectPath(resources.checkpoints, checkpoint));
  return noContent;
};

function namesOf({ metadata: { name, creationTimestamp = '' } }: SandboxSet) {
  return { aliases: [name], names: [name], createdAt: creationTimestamp, updatedAt: creationTimestamp };
}

const statusOf = ({ metadata }: SandboxSet) => (metadata.deletionTimestamp === undefined ? 'ready' : 'deleting');

function templateOf({ cluster }: Parameters<Handler>[0]['manager'], { spec, metadata }: SandboxSet) {
  const template = spec.templateRef
    ? cluster.templates.get(`${metadata.namespace}/${spec.templateRef.name}`)?.spec?.template
    : spec.template;
  return template?.spec?.containers;
}

import { isNotFound } from '../../controllers/client/api';
import { objectPath, resources } from '../../controllers/client/resources';
import { noContent, ok, Refusal } from './answers';
import type { Handler } from './call';
import { DecodeError, decodeBody } from './go-json';
import { isAdmin, type User } from './keys';
import { apiKeySchema } from './requests';

/** `GET /teams`: the one of the key. */
export const listTeams: Handler = ({ user }) =>
  ok([{ teamID: user.team.id, name: user.team.name, apiKey: '', isDefault: true }]);

/** `GET /api-keys` */
export const listKeys: Handler = ({ manager, user }) => ok(manager.keys.visibleTo(user).map((one) => keyView(one)));

/** `GET /api-keys/compatible`: the key of the request in the form that SDKs check, which is how all of them are made here. */
export const compatibleKey: Handler = ({ headers }) => ok({ key: headers['x-api-key'] });

/** `POST /api-keys`: only this answer shows the key. A quota is kept and not enforced, as upstream without Redis. */
export const createKey: Handler = async ({ manager, user, body }) => {
  const { name, teamName, quota } = readRequest(body);
  if (name === '') throw new Refusal(400, 'api-key name is required');
  if (quota !== undefined && !isAdmin(user)) throw new Refusal(403, 'only admin can set api-key quota');
  const team = teamName === '' ? user.team.name : teamName;
  if (team !== user.team.name) {
    if (!isAdmin(user)) throw new Refusal(403, 'only admin can create api-keys of another team');
    await requireNamespace(manager.cluster.api, team);
  }
  const { key, user: made } = manager.keys.create(user, name, team, quota);
  return { status: 201, body: keyView(made, key) };
};

function readRequest(body: string) {
  try {
    return decodeBody(body, apiKeySchema, 'NewTeamAPIKey');
  } catch (error) {
    throw error instanceof DecodeError ? new Refusal(400, error.message) : error;
  }
}

async function requireNamespace(api: { get(path: string): Promise<unknown> }, name: string): Promise<void> {
  try {
    await api.get(objectPath(resources.namespaces, { metadata: { name: encodeURIComponent(name) } }));
  } catch (error) {
    if (isNotFound(error)) throw new Refusal(400, `Kubernetes namespace "${name}" does not exist`);
    throw error;
  }
}

/** `DELETE /api-keys/{id}` */
export const deleteKey: Handler = ({ manager, user, params }) => {
  manager.keys.remove(user, params.id ?? '');
  return noContent;
};

/** With the key, and the team, only for the answer to its creation. */
function keyView({ createdAt, id, name, createdBy, team, quota }: User, key?: string) {
  return {
    createdAt,
    id,
    ...(key === undefined ? {} : { key }),
    mask: { maskedValuePrefix: '', maskedValueSuffix: '', prefix: '', valueLength: 0 },
    name,
    createdBy: createdBy === undefined ? null : { email: '', id: createdBy },
    ...(key === undefined ? {} : { team }),
    lastUsed: null,
    ...(quota === undefined ? {} : { quota }),
  };
}

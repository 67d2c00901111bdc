import type { SandboxSet } from '../../controllers/client/objects';
import { Refusal } from './answers';
import { answerWith, type Call, type Handler, type Manager } from './call';
import { claimSandbox } from './claim';
import type { Wanted } from './claim-bodies';
import { checkedCreateTimeout } from './ends';
import { readExtensions } from './extensions';
import { decodeBody } from './go-json';
import type { User } from './keys';
import { networkRules } from './network';
import { type CreateRequest, createSchema } from './requests';

/** The pools that a key sees, in the order of their namespaces. */
export const poolsOf = ({ cluster }: Manager, user: User): SandboxSet[] =>
  [...cluster.sandboxSets.list()]
    .filter(({ metadata }) => user.namespace === '' || metadata.namespace === user.namespace)
    .sort((a, b) => ((a.metadata.namespace ?? '') < (b.metadata.namespace ?? '') ? -1 : 1));

/** `POST /sandboxes`: a sandbox from the pool that the template names. */
export const createSandbox: Handler = async (call: Call) => {
  const wanted = checked(decodeBody(call.body, createSchema, 'NewSandboxRequest'), call.user);
  const set = poolsOf(call.manager, call.user).find(({ metadata }) => metadata.name === wanted.templateID);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined)
    throw new Refusal(400, 'Template or Checkpoint not found');
  return answerWith(call, 201, await claimSandbox(call.manager, set, wanted, call.signal));
};

function checked(request: CreateRequest, user: User): Wanted {
  const timeoutSeconds = checkedCreateTimeout(request.timeout);
  const extensions = readExtensions(request.metadata);
  const network = networkRules(request.network);
  request.volumeMounts.forEach(({ path }, i) => {
    if (!path.startsWith('/'))
      throw new Refusal(400, `volumeMounts[${i}].path is invalid: mount point must start with '/'`);
  });
  if (request.volumeMounts.length > 0)
    throw new Refusal(400, 'volumeMounts: volumes cannot be mounted by this sandbox-manager');
  return {
    owner: user.id,
    templateID: request.templateID,
    timeoutSeconds,
    autoPause: request.autoPause,
    allowInternet: request.allow_internet_access,
    env: request.envVars,
    network,
    extensions,
  };
}

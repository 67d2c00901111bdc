import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_BODY, readBody } from '../wire/body';
import type { Form } from '../wire/negotiation';
import type { Cluster } from './admission';
import { list } from './lists';
import type { Principal } from './principal';
import type { Target } from './reads';
import type { ResourceRequest } from './requests';
import { handleResource } from './resource-handler';
import { sendAnswer, sendList, sendNotFound, setWarnings } from './responses';
import { methodNotAllowed, noSuchResource } from './status';
import type { Watches } from './watches';

/** What of a request has been found out: what it is about, who sends it, and what the answer should look like. */
export interface Asked {
  target: Target;
  subresource: string;
  query: URLSearchParams;
  caller: Principal;
  isWatch: boolean;
  form: Form;
}

/** Answers a request for objects: a list, a watch, a read or a write. @throws StatusError */
export async function answerResource(
  cluster: Cluster,
  watches: Watches,
  { target, subresource, query, caller, isWatch, form }: Asked,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET' } = request;
  const { kind, name, namespace } = target;
  if (kind.namespaced && namespace === '' && name !== '') {
    if (kind.isCustom !== true) throw noSuchResource();
    return sendNotFound(response);
  }
  if (method === 'GET' && name === '') {
    if (isWatch) return watches.start(target, query, form, response);
    return sendList(response, target, list(cluster.storage, target, query), form, query);
  }
  if (kind.isCustom !== true && name === '' && (method === 'PUT' || method === 'PATCH')) throw methodNotAllowed();
  // Objects of a namespace are made nowhere else.
  if (method === 'POST' && kind.isCustom === true && kind.namespaced && namespace === '') {
    return sendNotFound(response);
  }
  const body = method === 'GET' ? NO_BODY : await readBody(request);
  const userAgent = request.headers['user-agent'] ?? '';
  const resource: ResourceRequest = { method, caller, userAgent, target, subresource, query, body, warnings: [] };
  try {
    sendAnswer(response, handleResource(cluster, resource), form, resource);
  } catch (error) {
    setWarnings(response, resource.warnings);
    throw error;
  }
}

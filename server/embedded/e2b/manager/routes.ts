import { noContent, ok, Refusal } from './answers';
import { compatibleKey, createKey, deleteKey, listKeys, listTeams } from './api-keys';
import { type Handler, ofSandbox, resourceOf, usableState } from './call';
import { createSandbox } from './create';
import { decodeBody } from './go-json';
import { getSandbox, killSandbox, setTimeoutOf } from './lifecycle';
import { listSandboxes } from './list';
import { networkRules } from './network';
import { connectSandbox, pauseSandbox, resumeSandbox } from './pause-resume';
import { networkSchema } from './requests';
import type { Route } from './router';
import { shown } from './sandbox-view';
import { createSnapshot, listSnapshots } from './snapshots';
import { deleteTemplate, getTemplate, listTemplates } from './templates';
import { changeSandbox } from './write';

const kruiseBase = '/kruise/api';

/** `PUT /sandboxes/{id}/network`: kept and shown; nothing here filters traffic. */
const setNetwork = ofSandbox(async ({ manager, body }, sandbox) => {
  usableState(sandbox);
  const rules = networkRules(decodeBody(body, networkSchema, 'SandboxNetworkConfig'));
  const value = rules === undefined ? null : JSON.stringify(rules);
  await changeSandbox(manager, sandbox, () => ({ metadata: { annotations: { [shown.network]: value } } }));
  return noContent;
});

/** `GET /browser/{id}/…`: no sandbox here has a browser. */
const openBrowser = ofSandbox(({ query }, sandbox) => {
  usableState(sandbox);
  const port = query.get('cdpPort') ?? '9222';
  const address = `${sandbox.status?.podInfo?.podIP}:${port}`;
  const dialled = `Get "http://${address}/json/version": dial tcp ${address}: connect: connection refused`;
  const failed = 'ailed to proxy request to sandbox';
  throw new Refusal(0, `F${failed} port ${port}: f${failed}: ${dialled}; ${resourceOf(sandbox)}`);
});

const refuseTrafficToken = ofSandbox(() => {
  throw new Refusal(409, 'Sandbox cannot refresh its traffic access token');
});

const route = (method: string, path: string, handle: Handler): Route<Handler> => ({ method, path, handle });

const both = [
  route('POST', '/sandboxes', createSandbox),
  route('GET', '/v2/sandboxes', listSandboxes),
  route('GET', '/sandboxes/{id}', getSandbox),
  route('DELETE', '/sandboxes/{id}', killSandbox),
  route('PUT', '/sandboxes/{id}/network', setNetwork),
  route('POST', '/sandboxes/{id}/pause', pauseSandbox),
  route('POST', '/sandboxes/{id}/resume', resumeSandbox),
  route('POST', '/sandboxes/{id}/connect', connectSandbox),
  route('POST', '/sandboxes/{id}/timeout', setTimeoutOf),
  route('POST', '/sandboxes/{id}/snapshots', createSnapshot),
  route('GET', '/snapshots', listSnapshots),
  route('GET', '/templates', listTemplates),
  route('GET', '/templates/{id}', getTemplate),
  route('DELETE', '/templates/{id}', deleteTemplate),
  route('GET', '/browser/{id}/json/version', openBrowser),
  route('GET', '/debug', () => ok({ Peers: [], Pools: {} })),
  route('GET', '/teams', listTeams),
  route('GET', '/api-keys', listKeys),
  route('POST', '/api-keys', createKey),
  route('GET', '/api-keys/compatible', compatibleKey),
  route('DELETE', '/api-keys/{id}', deleteKey),
];

/** Everything that needs a key, under both base paths. */
export const routes: Route<Handler>[] = [
  ...both,
  ...both.map((one) => ({ ...one, path: kruiseBase + one.path })),
  route('POST', `${kruiseBase}/sandboxes/{id}/traffic-access-token`, refuseTrafficToken),
];

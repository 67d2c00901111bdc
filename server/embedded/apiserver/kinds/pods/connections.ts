import http, { type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { invalidValue } from '../../core/causes';
import type { KindDefinition } from '../../core/kind-definition';
import { integerIn } from '../../core/lists';
import { type KubeObject, listOf, textOf } from '../../core/objects';
import { read } from '../../core/reads';
import type { ResourceRequest } from '../../core/requests';
import { badRequest, invalid, notFound, StatusError } from '../../core/status';
import type { Storage } from '../../core/storage';
import { checkSubresource } from '../../core/subresources';

/** Where the kubelet of a simulated node listens; its address inside the cluster leads nowhere. */
const KUBELET = 'sim.local/kubelet';
const PODS = { group: '', plural: 'pods', kind: 'Pod' };
const CONNECTIONS = ['attach', 'exec', 'log', 'portforward'];

type Connection = Pick<ResourceRequest, 'method' | 'target' | 'subresource' | 'query'>;

/** Whether a subresource is answered by the node that runs the pod. */
export function isConnection(kind: KindDefinition, subresource: string): boolean {
  return kind.plural === 'pods' && kind.group === '' && CONNECTIONS.includes(subresource);
}

/** Passes a request for a pod's logs on to its node; exec, attach and port-forward end there. */
export async function connect(storage: Storage, request: Connection, response: ServerResponse): Promise<void> {
  const { target, subresource, query } = request;
  checkSubresource(request);
  if (subresource === 'log') checkLogOptions(target.name, query);
  const pod = read(storage, target).object;
  const container = subresource === 'portforward' ? '' : containerOf(pod, query.get('container') ?? '');
  const node = textOf(pod, 'spec', 'nodeName');
  if (node === '' && subresource === 'log') {
    response.writeHead(204).end();
    return;
  }
  if (node === '') throw badRequest(`pod ${target.name} does not have a host assigned`);
  const kubelet = kubeletOf(storage, node);
  if (subresource !== 'log') {
    const why = `the embedded cluster simulates its nodes: no process runs in the containers of pod ${target.name}, so it cannot be reached by ${subresource}`;
    throw new StatusError(501, why, 'NotImplemented');
  }
  const path = `/containerLogs/${target.namespace}/${target.name}/${container}?${query}`;
  await forward(new URL(path, kubelet), response);
}

function checkLogOptions(name: string, query: URLSearchParams): void {
  for (const [option, least] of [
    ['tailLines', 0],
    ['sinceSeconds', 1],
    ['limitBytes', 1],
  ] as const) {
    const value = integerIn(query, option);
    if (value === undefined || value >= least) continue;
    const why = least === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0';
    throw invalid('', 'PodLogOptions', name, [invalidValue(option, value, why)]);
  }
}

/** The container that is meant: the only one, unless one is named. (kubectl names the default one itself.) */
function containerOf(pod: KubeObject, wanted: string): string {
  const { name } = pod.metadata;
  const names = ['initContainers', 'containers', 'ephemeralContainers'].map((field) =>
    listOf(pod, 'spec', field).map((container) => textOf(container, 'name')),
  );
  const [, main = []] = names;
  const all = names.flat();
  if (wanted !== '') {
    if (all.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  const [only = ''] = main;
  if (main.length === 1) return only;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`);
}

function kubeletOf(storage: Storage, name: string): string {
  const node = storage.collection('nodes').items.get(name)?.object;
  // kube-apiserver says that the pod is missing, by the name of the node.
  if (node === undefined) throw notFound(PODS, name);
  const addresses = listOf(node, 'status', 'addresses');
  if (addresses.length === 0) throw new StatusError(500, 'no preferred addresses found; known addresses: []');
  const kubelet = node.metadata.annotations?.[KUBELET] ?? '';
  if (/^http:\/\/127\.0\.0\.1:\d+$/.test(kubelet)) return kubelet;
  const address = `${textOf(addresses[0], 'address')}:10250`;
  throw new StatusError(500, `dial tcp ${address}: connect: connection refused`);
}

function forward(url: URL, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, (answer) => {
      const { statusCode = 500 } = answer;
      if (statusCode !== 200) {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => reject(new StatusError(statusCode, Buffer.concat(chunks).toString(), 'BadRequest')));
        return;
      }
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.flushHeaders();
      pipeline(answer, response, () => resolve());
    });
    request.on('error', (error) => reject(new StatusError(500, `Get "${url}": ${error.message}`)));
    response.once('close', () => request.destroy());
  });
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Node } from '../controllers/client/objects';
import { objectPath, resources } from '../controllers/client/resources';
import type { Cluster } from '../controllers/cluster';
import { isRunning, type LogLine, logLines, NoLog } from './log-lines';

/** Annotation that tells the API server where the kubelet of a simulated node listens. */
const kubeletUrl = 'sim.local/kubelet';
const followMs = 1000;

/** Serves `/containerLogs/<namespace>/<pod>/<container>` for every node of the cluster, on the loopback address. */
export async function serveLogs(cluster: Cluster, signal: AbortSignal): Promise<void> {
  const server = createServer((request, response) => {
    answer(cluster, request, response, signal);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const announce = (node: Node) => {
    if (node.metadata.annotations?.[kubeletUrl] === url) return;
    cluster.api
      .patch(objectPath(resources.nodes, node), { metadata: { annotations: { [kubeletUrl]: url } } })
      .catch((error) => signal.aborted || console.warn(`address of ${node.metadata.name}: ${String(error)}`));
  };
  for (const node of cluster.nodes.list()) announce(node);
  cluster.nodes.onChange((_before, after) => {
    if (after !== undefined && !signal.aborted) announce(after);
  });
  signal.addEventListener(
    'abort',
    () => {
      server.close();
      server.closeAllConnections();
    },
    { once: true },
  );
}

function answer(cluster: Cluster, request: IncomingMessage, response: ServerResponse, signal: AbortSignal): void {
  const { pathname, searchParams: query } = new URL(`http://localhost${request.url ?? ''}`);
  const [, root, namespace, name, container = ''] = pathname.split('/').map(decodeURIComponent);
  const key = `${namespace}/${name}`;
  const pod = root === 'containerLogs' ? cluster.pods.get(key) : undefined;
  if (pod === undefined) {
    response.writeHead(404).end(`pod ${JSON.stringify(name ?? '')} not found`);
    return;
  }
  const previous = query.get('previous') === 'true';
  let lines: LogLine[];
  const now = Date.now();
  try {
    lines = logLines(pod, container, previous, now);
  } catch (error) {
    if (!(error instanceof NoLog)) throw error;
    response.writeHead(400).end(error.message);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  response.flushHeaders();
  response.write(textOf(selected(lines, query, now), query));
  if (query.get('follow') !== 'true' || previous) {
    response.end();
    return;
  }
  let told = now;
  const timer = setInterval(() => {
    const current = cluster.pods.get(key);
    const until = Date.now();
    if (current?.metadata.uid === pod.metadata.uid) {
      const fresh = logLines(current, container, false, until).filter(({ at }) => at > told);
      response.write(textOf(fresh, query));
      told = until;
      if (isRunning(current, container)) return;
    }
    response.end();
  }, followMs);
  response.once('close', () => clearInterval(timer));
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text === null || text === '' ? undefined : Number(text);
}

/** The lines that the options of the request leave. */
function selected(lines: LogLine[], query: URLSearchParams, now: number): LogLine[] {
  const seconds = numberIn(query, 'sinceSeconds');
  const since = seconds === undefined ? Date.parse(query.get('sinceTime') ?? '') : now - seconds * 1000;
  const recent = Number.isNaN(since) ? lines : lines.filter(({ at }) => at >= since);
  const tail = numberIn(query, 'tailLines');
  if (tail === undefined) return recent;
  return tail === 0 ? [] : recent.slice(-tail);
}

function textOf(lines: LogLine[], query: URLSearchParams): string {
  const stamps = query.get('timestamps') === 'true';
  const text = lines.map((line) => `${stamps ? `${new Date(line.at).toISOString()} ` : ''}${line.text}\n`).join('');
  return text.slice(0, numberIn(query, 'limitBytes') ?? text.length);
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkQueue } from '../client/queue';
import type { Cluster } from '../cluster';
import { setGauges } from './gauges';
import { measureProcess } from './process';
import { measureQueue } from './queues';
import { countTransitions } from './transitions';

export interface Collector {
  /** The metrics of the moment in Prometheus' text format. */
  text(): string;
  /** Begins to count anew, as a process does that has just begun. */
  restart(): void;
}

/** Begins to count. */
export function collectMetrics(cluster: Cluster, queues: WorkQueue[]): Collector {
  const { metrics } = cluster;
  const transitions = countTransitions(metrics, cluster);
  const measured = queues.map((queue) => measureQueue(metrics, queue));
  let startedMs = Date.now() - process.uptime() * 1000;
  for (const { begin } of measured) begin();
  const { api } = cluster;
  api.onAnswer = (code, method) =>
    metrics.add('rest_client_requests_total', { code: String(code), host: api.host, method });
  return {
    text: () => {
      for (const { update } of measured) update();
      setGauges(metrics, cluster, transitions.times);
      measureProcess(metrics, startedMs);
      return metrics.render();
    },
    restart: () => {
      metrics.clear();
      startedMs = Date.now();
      for (const { begin } of measured) begin();
      transitions.restart();
    },
  };
}

/** Serves `/metrics` on the loopback address until the signal. Resolves to the port. */
export async function serveMetrics(text: () => string, port: number, signal: AbortSignal): Promise<number> {
  const server = createServer((request, response) => {
    const found = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(found ? text() : '404 page not found\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  signal.addEventListener('abort', () => server.close().closeAllConnections(), { once: true });
  return (server.address() as AddressInfo).port;
}

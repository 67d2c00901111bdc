import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkQueue } from '../client/queue';
import type { Cluster } from '../cluster';
import { setGauges } from './gauges';
import { measureQueue } from './queues';
import { countTransitions } from './transitions';

/** Begins to count; the returned function gives the metrics of the moment in Prometheus' text format. */
export function collectMetrics(cluster: Cluster, queues: WorkQueue[]): () => string {
  const { metrics } = cluster;
  const times = countTransitions(metrics, cluster);
  const updates = queues.map((queue) => measureQueue(metrics, queue));
  return () => {
    for (const update of updates) update();
    setGauges(metrics, cluster, times);
    const { user, system } = process.cpuUsage();
    metrics.set('process_cpu_seconds_total', {}, (user + system) / 1e6);
    metrics.set('process_resident_memory_bytes', {}, process.memoryUsage.rss());
    metrics.set('process_start_time_seconds', {}, Math.round(Date.now() / 10 - process.uptime() * 100) / 100);
    return metrics.render();
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

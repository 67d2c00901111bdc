import { setMaxListeners } from 'node:events';
import { heartbeat } from '../kubelet/heartbeat';
import { kubelet } from '../kubelet/kubelet';
import { serveLogs } from '../kubelet/log-server';
import { type KubeletDelays, realisticDelays } from '../kubelet/options';
import { scheduler } from '../kubelet/scheduler';
import type { Informer } from './client/informer';
import { type KubeObject, keyOf } from './client/objects';
import type { WorkQueue } from './client/queue';
import { type Cluster, createCluster } from './cluster';
import type { ApiConnection } from './connect';
import type { Controller } from './controller';
import { expireEvents } from './event-expiry';
import { garbageCollector } from './garbage-collector';
import { collectMetrics, serveMetrics } from './metrics/serve';
import { namespaceController } from './namespaces';
import { sandboxController } from './sandbox/controller';
import { sandboxClaimController } from './sandboxclaim/controller';
import { sandboxSetController } from './sandboxset/controller';
import { sandboxUpdateOpsController } from './sandboxupdateops/controller';
import { type ControllerName, Switches } from './switches';
import { volumeController } from './volumes';

export interface RunOptions {
  api: ApiConnection;
  signal: AbortSignal;
  /** The agents.kruise.io controllers; default true. */
  controllers?: boolean;
  /** Simulated nodes run their Pods; default true. */
  kubelet?: boolean;
  /**
   * The cluster has no control plane of its own, so Pods are also scheduled, dependents collected, namespaces emptied, volumes made
   * available and old events expired here, and every node is simulated. False on a real cluster. Default true.
   */
  controlPlane?: boolean;
  delays?: KubeletDelays;
  /** Where the controllers' `/metrics` are served on the loopback address; 0 for any free port. */
  metricsPort?: number;
  /** Where what runs here can be made to fail. */
  switches?: Switches;
}

export interface Running {
  /** The API client and the local copies of everything that runs here. */
  cluster: Cluster;
  /** What `/metrics` says. */
  metrics(): string;
  /** The port where it is served, when that was asked for. */
  metricsPort: number | undefined;
  stop(): Promise<void>;
}

/**
 * Runs everything that makes a cluster live, over HTTP only, until `signal` or `stop()`. Resolves when the first lists are in
 * and work has begun; an API server that is not there yet is waited for.
 */
export async function runControllers(options: RunOptions): Promise<Running> {
  const { controllers = true, kubelet: nodes = true, controlPlane = true } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  // Every watch listens for the end.
  setMaxListeners(0, signal);
  const { switches = new Switches() } = options;
  const cluster = createCluster(options.api, switches);
  const started = controllers ? startAll(cluster) : [];
  const queues: WorkQueue[] = started.map(({ queue }) => queue);
  const metrics = collectMetrics(cluster, [...queues]);
  const ofControllers = [
    cluster.pods,
    cluster.sandboxes,
    cluster.sandboxSets,
    cluster.claims,
    cluster.templates,
    cluster.updateOps,
    cluster.checkpoints,
  ];
  const informers: { run(signal: AbortSignal): Promise<void>; synced: Promise<void> }[] = [
    ...ofControllers,
    cluster.nodes,
  ];
  if (nodes) queues.push(kubelet(cluster, options.delays ?? realisticDelays, controlPlane));
  if (controlPlane) {
    const collector = garbageCollector(cluster);
    const namespaces = namespaceController(cluster);
    const volumes = volumeController(cluster);
    informers.push(collector.kinds, namespaces.informer, volumes.informer);
    queues.push(collector.queue, namespaces.queue, volumes.queue, scheduler(cluster));
  }
  const { metricsPort: wanted } = options;
  const metricsPort = wanted === undefined ? undefined : await serveMetrics(metrics.text, wanted, signal);
  if (controllers)
    switches.newLeader = async () => {
      await Promise.all(ofControllers.map((informer) => informer.renew()));
      for (const { recorder, forget, queue, keys } of started) {
        forget();
        recorder.forget();
        queue.restart(keys());
      }
      metrics.restart();
    };
  const watches = informers.map((informer) => informer.run(signal));
  signal.addEventListener('abort', () => {
    for (const queue of queues) queue.stop();
  });
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([Promise.all(informers.map(({ synced }) => synced)), aborted]);
  if (!signal.aborted) {
    for (const queue of queues) queue.start();
    // Another cluster's API server asks its nodes in its own way.
    if (controlPlane && nodes) await serveLogs(cluster, signal);
    if (controlPlane) expireEvents(cluster.api, signal);
    else if (nodes) heartbeat(cluster, signal);
  }
  return {
    cluster,
    metrics: metrics.text,
    metricsPort,
    stop: async () => {
      stopping.abort();
      await Promise.all(watches);
      await Promise.all(started.map(({ recorder }) => recorder.flush()));
      cluster.api.close();
    },
  };
}

interface Started extends Controller {
  /** Of every object that a start would look at. */
  keys(): string[];
}

function startAll(cluster: Cluster): Started[] {
  const start = <T extends KubeObject>(
    name: ControllerName,
    controller: (cluster: Cluster) => Controller,
    informer: Informer<T>,
  ): Started => {
    const started = controller(cluster);
    cluster.switches.controllers.set(name, started.queue);
    return { ...started, keys: () => [...informer.list()].map(keyOf) };
  };
  return [
    start('sandbox', sandboxController, cluster.sandboxes),
    start('sandboxset', sandboxSetController, cluster.sandboxSets),
    start('sandboxclaim', sandboxClaimController, cluster.claims),
    start('sandboxupdateops', sandboxUpdateOpsController, cluster.updateOps),
  ];
}

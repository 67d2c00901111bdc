import { ApiError, isNotFound } from '../client/api';
import {
  controllerOf,
  keyOf,
  type Pod,
  podSchema,
  type Sandbox,
  type SandboxStatus,
  sandboxSchema,
} from '../client/objects';
import { collectionPath, objectPath, resources } from '../client/resources';
import { dropCondition, findCondition, setCondition } from '../rules/conditions';
import { sandboxRevision } from '../rules/hashes';
import { finalizer } from '../rules/keys';
import type { SandboxDeps } from './deps';
import { podFor } from './pod';
import { injectRuntimes } from './runtimes';

/** One reconcile of one Sandbox: what it saw, the status it is going to write, and the writes it may do on the way. */
export class Pass {
  readonly key: string;
  readonly revision: string;
  readonly status: SandboxStatus;
  /** Thrown after the status was written, so that the key comes back. */
  failure: Error | undefined;
  requeueAfterMs: number | undefined;

  constructor(
    readonly deps: SandboxDeps,
    public sandbox: Sandbox,
    readonly pod: Pod | undefined,
  ) {
    this.key = keyOf(sandbox);
    this.revision = sandboxRevision(sandbox);
    this.status = structuredClone(sandbox.status ?? {});
  }

  get ownsPod(): boolean {
    return this.pod !== undefined && controllerOf(this.pod)?.uid === this.sandbox.metadata.uid;
  }

  /** A new template means a new Pod; without such a policy the Pod is changed in place. */
  get replacesPods(): boolean {
    const type = this.sandbox.spec.upgradePolicy?.type;
    return type === 'Recreate' || type === 'CheckpointRestore';
  }

  get podReady(): boolean {
    return findCondition(this.pod?.status?.conditions, 'Ready')?.status === 'True';
  }

  condition = (type: string) => findCondition(this.status.conditions, type);

  set(type: string, status: 'True' | 'False', reason: string, message = '', at?: string): void {
    this.status.conditions = setCondition(this.status.conditions ?? [], type, status, reason, message, at);
  }

  drop(type: string): void {
    this.status.conditions = dropCondition(this.status.conditions ?? [], type);
  }

  emit(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.deps.recorder.emit(resources.sandboxes, this.sandbox, type, reason, message);
  }

  /** Ready turns False and keeps its reason: the Pod is on its way out. */
  unready(): void {
    this.set('Ready', 'False', this.condition('Ready')?.reason ?? 'PodReady');
  }

  syncPodInfo(pod: Pod): void {
    const nodeName = pod.spec.nodeName ?? '';
    const podIP = pod.status?.podIP ?? '';
    this.status.podInfo = { ...this.status.podInfo, nodeName, podIP, podUID: pod.metadata.uid };
    this.status.nodeName = nodeName;
    this.status.sandboxIp = podIP;
  }

  /** Changes the Sandbox itself (not its status) and goes on with the answer. */
  async patch(body: unknown): Promise<void> {
    const answer = await this.deps.cluster.api.patch(objectPath(resources.sandboxes, this.sandbox), body);
    this.sandbox = sandboxSchema.parse(answer);
    this.deps.writes.wrote(this.key, this.sandbox);
  }

  async setFinalizer(wanted: boolean): Promise<void> {
    const finalizers = this.sandbox.metadata.finalizers ?? [];
    if (finalizers.includes(finalizer.sandbox) === wanted) return;
    const next = wanted ? [...finalizers, finalizer.sandbox] : finalizers.filter((one) => one !== finalizer.sandbox);
    await this.patch({ metadata: { finalizers: next.length === 0 ? null : next } });
  }

  /**
   * Makes the Pod of the current template.
   * @throws Error without a template or an injection template, of which nothing is told; ApiError as the API server refused it,
   * which shows as Ready False and in an event.
   */
  async createPod(): Promise<void> {
    const template =
      this.sandbox.spec.template ??
      this.deps.cluster.templates.get(`${this.sandbox.metadata.namespace}/${this.sandbox.spec.templateRef?.name}`)?.spec
        ?.template;
    if (template === undefined) throw new Error(`SandboxTemplate ${this.sandbox.spec.templateRef?.name} not found`);
    const injected = await injectRuntimes(this.deps.cluster.api, template, this.sandbox.spec.runtimes);
    const body = podFor(this.sandbox, injected, this.revision);
    const path = collectionPath(resources.pods, this.sandbox.metadata.namespace);
    try {
      const pod = podSchema.parse(await this.deps.cluster.api.create(path, body));
      if (this.deps.cluster.pods.get(this.key)?.metadata.uid !== pod.metadata.uid)
        this.deps.podCreates.wrote(this.key, pod);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'AlreadyExists') return;
      this.set('Ready', 'False', 'PodCreateFailed', error.message);
      this.emit('Warning', 'PodCreateFailed', `Failed to create pod: ${error.message}`);
      throw error;
    }
  }

  /** Asks for the Pod's end; its own grace period unless one is given (seconds). */
  async deletePod(pod: Pod, gracePeriodSeconds?: number): Promise<void> {
    try {
      await this.deps.cluster.api.remove(objectPath(resources.pods, pod), {
        preconditions: { uid: pod.metadata.uid },
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

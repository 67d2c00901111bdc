import { SimulatedCluster } from './cluster.testing';
import { type Box, image, prefix, runtime } from './parts.testing';

/** A pool that is claimed from and refills, and sessions that are paused, resumed and deleted. */
export abstract class SimulatedSessions extends SimulatedCluster {
  protected serial = 0;

  protected fill(): void {
    for (let count = this.members().length; count < this.desired; count++) this.create();
  }

  protected create(): void {
    const name = `web-${this.serial++}`;
    const box: Box = {
      name,
      uid: `uid-${name}`,
      generation: 1,
      created: this.now,
      idle: true,
      labels: {
        [`${prefix}sandbox-pool`]: 'web',
        [`${prefix}sandbox-claimed`]: 'false',
        [`${prefix}template-hash`]: `r${this.revision}`,
      },
      annotations: {},
      finalizers: [],
      spec: { template: { spec: { initContainers: [runtime], containers: [{ name: 'main', image }] } } },
      status: { conditions: {} },
    };
    this.boxes.set(name, box);
    this.write(box);
    this.after(0.02, 0.6, () => {
      box.status.phase = 'Pending';
      box.status.observedGeneration = 1;
      this.write(box);
      this.startPod(box, () => this.running(box));
    });
  }

  protected running(box: Box): void {
    box.status.phase = 'Running';
    box.status.podInfo = { podUID: `pod-${this.podUid}`, nodeName: 'node-1' };
    box.status.observedGeneration = box.generation;
    this.set(box, 'Ready', 'True', 'PodReady');
    this.write(box);
  }

  protected claimAgain(): void {
    this.after(60, 480, () => this.claimAgain());
    const box = this.members().find(({ status }) => status.conditions.Ready?.status === 'True');
    if (!box) return;
    this.count('claim');
    this.claimed(box);
    box.idle = false;
    box.labels[`${prefix}sandbox-claimed`] = 'true';
    box.annotations[`${prefix}claim-timestamp`] = this.time();
    box.annotations[`${prefix}lock`] = 'by-its-claimer';
    box.generation++;
    this.write(box);
    this.after(0.02, 0.1, () => this.running(box));
    this.after(0.02, 0.3, () => this.fill());
    this.after(30, 300, () => this.use(box));
  }

  /** It was taken; by a claim of its own, or otherwise. */
  protected abstract claimed(box: Box): void;
  /** Its user has done with it. */
  protected abstract end(box: Box): void;

  /** A session goes on until it is ended. */
  protected use(box: Box): void {
    if (!this.boxes.has(box.name)) return;
    const busy = box.status.phase !== 'Running' || box.labels[`${prefix}update-ops`] !== undefined;
    if (busy) this.after(5, 20, () => this.use(box));
    else if (this.random() < 0.6) this.pause(box);
    else this.end(box);
  }

  protected pause(box: Box): void {
    this.count('pause');
    box.spec.paused = true;
    box.generation++;
    this.write(box);
    this.after(0.02, 0.3, () => {
      box.status.phase = 'Paused';
      box.status.observedGeneration = box.generation;
      box.finalizers = [`${prefix}sandbox`];
      delete box.status.conditions.SandboxResumed;
      this.set(box, 'SandboxPaused', 'False', 'Pending');
      this.set(box, 'Ready', 'False', 'PodReady');
      this.write(box);
      this.endPod(box, 8.64, () => {
        this.set(box, 'SandboxPaused', 'True', 'StopPauseSucceed');
        this.write(box);
        this.after(20, 3600, () => (this.random() < 0.1 ? this.delete(box) : this.resume(box)));
      });
    });
  }

  protected resume(box: Box): void {
    this.count('resume');
    box.spec.paused = false;
    box.generation++;
    this.write(box);
    this.after(0.02, 0.3, () => {
      box.status.phase = 'Resuming';
      box.status.observedGeneration = box.generation;
      this.set(box, 'SandboxResumed', 'False', 'CreatePod');
      this.write(box);
      this.startPod(
        box,
        () => {
          this.set(box, 'RuntimeInitialized', 'True', 'Succeeded');
          this.running(box);
          this.after(60, 900, () => this.use(box));
        },
        () => {
          box.finalizers = [];
          box.status.phase = 'Running';
          delete box.status.conditions.SandboxPaused;
          this.set(box, 'SandboxResumed', 'True', 'ResumePod');
          this.set(box, 'RuntimeInitialized', 'False', 'Pending');
          this.write(box);
        },
      );
    });
  }

  protected delete(box: Box): void {
    this.count('delete');
    const gone = () => {
      this.boxes.delete(box.name);
      this.remove('sandboxes', box.name);
      this.pool();
    };
    const hasPod = this.has('pods', box.name);
    if (box.finalizers.length === 0) {
      gone();
      if (hasPod) this.endPod(box, 30, () => undefined);
      return;
    }
    box.deleting = this.now;
    box.generation++;
    this.write(box);
    this.after(0.01, 0.2, gone);
  }
}

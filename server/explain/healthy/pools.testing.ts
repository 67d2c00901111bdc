import { type Box, ns, prefix } from './parts.testing';
import { SimulatedSessions } from './sessions.testing';

/** A pool whose number and template change, claims with a time to live, and the three ways in which a session ends. */
export abstract class SimulatedPools extends SimulatedSessions {
  /** Up and down again; a member that goes is locked in the moment before. */
  protected scaleAgain(): void {
    this.after(1200, 3600, () => this.scaleAgain());
    this.count('scale');
    this.desired = 2 + Math.floor(this.random() * 5);
    this.poolGeneration++;
    this.pool();
    this.after(0.02, 0.3, () => this.settle());
  }

  /** What a pass of the pool does: makes what is missing, deletes what is too much, newest first. */
  private settle(): void {
    const ready = ({ status }: Box) => status.conditions.Ready?.status === 'True';
    for (const box of this.members().filter(ready).slice(this.desired)) this.drop(box);
    this.fill();
  }

  private drop(box: Box): void {
    box.annotations[`${prefix}lock`] = 'of-the-pool';
    box.annotations[`${prefix}owner`] = '__manager_scale_down';
    this.write(box);
    this.after(0.01, 0.1, () => this.boxes.has(box.name) && this.delete(box));
  }

  /** A new template: one old member after the other goes, and the next when the new one is ready. */
  protected rollOutAgain(): void {
    this.after(7200, 14_400, () => this.rollOutAgain());
    this.count('roll out');
    this.revision++;
    this.poolGeneration++;
    this.pool();
    this.after(0.05, 0.3, () => this.rollOn());
  }

  private rollOn(): void {
    const creating = this.members().some(({ status }) => status.conditions.Ready?.status !== 'True');
    const old = this.members().find((box) => this.revisionOf(box) !== `r${this.revision}`);
    if (!old) return;
    if (!creating) {
      this.drop(old);
      this.after(0.15, 0.3, () => this.fill());
    }
    this.after(1, 2, () => this.rollOn());
  }

  /** One of two was taken by a SandboxClaim, which is deleted a while after it is completed. */
  protected claimed(box: Box): void {
    if (this.random() < 0.5) return;
    const name = `claim-of-${box.name}`;
    const metadata = { name, namespace: ns, uid: `uid-${name}`, generation: 1, creationTimestamp: this.time() };
    const spec = { templateName: 'web', replicas: 1, ttlAfterCompleted: '5m' };
    const status = { observedGeneration: 1, claimStartTime: this.time(), claimedReplicas: 1 };
    box.labels[`${prefix}claim-name`] = name;
    box.annotations[`${prefix}owner`] = metadata.uid;
    this.put('sandboxclaims', { kind: 'SandboxClaim', metadata, spec });
    this.after(0.05, 0.2, () => {
      const completed = { ...status, phase: 'Completed', completionTime: this.time() };
      this.put('sandboxclaims', { kind: 'SandboxClaim', metadata, spec, status: completed });
      this.after(300, 301, () => {
        this.count('claim expired');
        this.remove('sandboxclaims', name);
      });
    });
  }

  protected end(box: Box): void {
    const way = this.random();
    if (way < 0.3) this.runOut(box);
    else if (way < 0.6 && this.revisionOf(box) === `r${this.revision}`) this.giveBack(box);
    else this.delete(box);
  }

  /** Its shutdownTime comes; the controller deletes it within a moment. */
  private runOut(box: Box): void {
    this.count('run out');
    box.spec.shutdownTime = this.time(this.now + 60_000);
    box.generation++;
    this.write(box);
    this.after(0.02, 0.2, () => {
      box.status.observedGeneration = box.generation;
      this.write(box);
      this.after(60, 61, () => this.boxes.has(box.name) && this.delete(box));
    });
  }

  /** Back to its pool, ten seconds after its container was found ready (domain 4.7); the pool notices at its next event. */
  private giveBack(box: Box): void {
    this.count('give back');
    box.annotations[`${prefix}cleanup`] = 'true';
    this.write(box);
    this.after(0.02, 0.3, () => {
      box.status.phase = 'Recycling';
      this.set(box, 'Recycling', 'False', 'RecyclingStarted');
      this.write(box);
      this.after(9.5, 12, () => {
        box.idle = true;
        box.annotations = {};
        box.labels = { ...box.labels, [`${prefix}sandbox-claimed`]: 'false' };
        delete box.labels[`${prefix}claim-name`];
        box.status.phase = 'Running';
        box.status.recycledCount = 1;
        this.set(box, 'Recycling', 'True', 'RecyclingSucceeded');
        this.write(box);
        this.after(0.5, 8, () => this.settle());
      });
    });
  }
}

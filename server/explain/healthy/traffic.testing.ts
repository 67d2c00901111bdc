import { type Box, type Fields, image, ns, prefix } from './parts.testing';
import { SimulatedPools } from './pools.testing';

/**
 * A cluster without a fault, in simulated time: a pool that is claimed from, refills, is scaled and rolled out, claims that are
 * deleted by their time to live, sessions that are paused, resumed, upgraded by an operation, given back, run out and are deleted. Durations are those of recordings and of the field report (a pause took 8.64 s there, a
 * resume 3.14 s), varied. Whoever iterates is handed the world after each change, and once between two.
 */
export class HealthyCluster extends SimulatedPools {
  constructor(start: number, seed: number) {
    super(start, seed);
    this.pool();
    this.fill();
    this.after(10, 60, () => this.claimAgain());
    this.after(600, 1200, () => this.upgradeAgain());
    this.after(900, 1800, () => this.scaleAgain());
    this.after(3600, 7200, () => this.rollOutAgain());
  }

  protected operation(status: Fields, extra: Fields = {}): void {
    this.put('sandboxupdateops', {
      kind: 'SandboxUpdateOps',
      metadata: {
        name: 'up',
        namespace: ns,
        uid: `up-${this.counts.upgrade}`,
        generation: 1,
        creationTimestamp: this.time(),
        finalizers: [`${prefix}sandboxupdateops-protection`],
        ...extra,
      },
      spec: { selector: {}, patch: { spec: { containers: [{ name: 'main', image }] } } },
      status,
    });
  }

  /** Where an operation goes on when the sandbox it is at is gone. */
  readonly #upgrading = new Map<string, () => void>();

  protected override delete(box: Box): void {
    super.delete(box);
    const goOn = this.#upgrading.get(box.name);
    this.#upgrading.delete(box.name);
    if (goOn) this.after(0.01, 0.1, goOn);
  }

  /** One session after the other gets a new Pod; then the operation is over and deleted. */
  protected upgradeAgain(): void {
    this.after(1800, 5400, () => this.upgradeAgain());
    const targets = [...this.boxes.values()].filter(({ idle, status }) => !idle && status.phase === 'Running');
    if (targets.length === 0) return;
    this.count('upgrade');
    const total = targets.length;
    this.operation({});
    const next = (done: number): void => {
      const box = targets[done];
      if (!box) {
        this.operation({ phase: 'Completed', replicas: total, updatedReplicas: total, observedGeneration: 1 });
        this.after(5, 60, () => {
          for (const each of targets) {
            delete each.labels[`${prefix}update-ops`];
            this.write(each);
          }
          this.remove('sandboxupdateops', 'up');
        });
        return;
      }
      this.operation({
        phase: 'Updating',
        replicas: total,
        updatedReplicas: done,
        updatingReplicas: 1,
        observedGeneration: 1,
      });
      if (!this.boxes.has(box.name) || box.spec.paused === true || box.status.phase !== 'Running') next(done + 1);
      else this.upgrade(box, () => next(done + 1));
    };
    this.after(0.02, 0.2, () => next(0));
  }

  protected upgrade(box: Box, then: () => void): void {
    this.#upgrading.set(box.name, then);
    box.labels[`${prefix}update-ops`] = 'up';
    box.spec.upgradePolicy = { type: 'Recreate' };
    box.generation++;
    this.write(box);
    this.after(0.02, 0.1, () => {
      box.status.phase = 'Upgrading';
      box.status.observedGeneration = box.generation;
      this.set(box, 'Ready', 'False', 'Upgrading');
      this.set(box, 'Upgrading', 'False', 'UpgradePod');
      this.write(box);
      this.endPod(box, 30, () =>
        this.startPod(box, () => {
          this.set(box, 'Upgrading', 'True', 'Succeeded');
          this.running(box);
          this.after(0.01, 0.05, () => {
            delete box.spec.upgradePolicy;
            box.generation++;
            this.write(box);
            this.after(0.01, 0.05, () => {
              box.status.observedGeneration = box.generation;
              this.write(box);
              if (this.#upgrading.delete(box.name)) then();
            });
          });
        }),
      );
    });
  }
}

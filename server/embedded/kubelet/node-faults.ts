import type { Pod } from '../controllers/client/objects';
import { byName, type ImageRules } from './images';

/** What goes wrong with the Pods that it concerns, from their next start on. */
export interface NodeFault {
  concerns(pod: Pod): boolean;
  /** Part of the names of the images it is about; absent: all of the Pod's. */
  image?: string;
  pullFails?: boolean;
  crashes?: boolean;
  /** Init images are reported under this name instead of the one in the spec. */
  reportedAs?: (image: string) => string;
  /** Added to the time that a start takes. */
  startMs?: number;
}

/** What is wrong with the simulated nodes at the moment, beyond what image names say. */
export class NodeFaults {
  readonly #faults = new Set<NodeFault>();
  readonly #listeners = new Set<() => void>();
  readonly #silent = new Set<string>();

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Returns the way to end it. */
  add(fault: NodeFault): () => void {
    this.#faults.add(fault);
    return () => {
      this.#faults.delete(fault);
      this.#tell();
    };
  }

  /** The node's kubelet does nothing until the returned function is called. */
  silence(node: string): () => void {
    this.#silent.add(node);
    return () => {
      this.#silent.delete(node);
      this.#tell();
    };
  }

  isSilent = (node: string): boolean => this.#silent.has(node);

  rulesFor(pod: Pod): ImageRules {
    const faults = this.#of(pod);
    if (faults.length === 0) return byName;
    const some = (image: string, test: (fault: NodeFault) => boolean | undefined) =>
      faults.find((fault) => image.includes(fault.image ?? '') && test(fault));
    return {
      pulls: (image) => byName.pulls(image) && some(image, ({ pullFails }) => pullFails) === undefined,
      crashes: (image) => byName.crashes(image) || some(image, ({ crashes }) => crashes) !== undefined,
      reported: (image, init) => {
        const renaming = some(image, ({ reportedAs }) => init && reportedAs !== undefined);
        return renaming?.reportedAs?.(image) ?? byName.reported(image, init);
      },
    };
  }

  startMs = (pod: Pod): number => this.#of(pod).reduce((sum, { startMs = 0 }) => sum + startMs, 0);

  #of = (pod: Pod): NodeFault[] => [...this.#faults].filter((fault) => fault.concerns(pod));

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

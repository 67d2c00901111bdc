/** How long the simulated nodes take, in milliseconds; a range is drawn from evenly. */
export interface KubeletDelays {
  /** From binding to the first status (ContainerCreating). */
  create: [number, number];
  /** From there to running and ready. Annotation `sim.local/start-delay` (Go duration) on the Pod wins. */
  start: [number, number];
  /** From the deletion mark to gone, at most the grace period. Annotation `sim.local/stop-delay` wins. */
  stop: [number, number];
  /** From ErrImagePull to ImagePullBackOff. */
  pullBackOff: number;
  /** From ImagePullBackOff to the next ErrImagePull; doubles each time, to five minutes. */
  pullRetry: number;
  /** From the first exit of a crashing container to CrashLoopBackOff. */
  crashBackOff: number;
}

export const realisticDelays: KubeletDelays = {
  create: [150, 400],
  start: [900, 2600],
  stop: [700, 700],
  pullBackOff: 12_000,
  pullRetry: 20_000,
  crashBackOff: 2_000,
};

/** The simulated nodes of the recordings of the real controllers. */
export const recordedDelays: KubeletDelays = {
  create: [150, 150],
  start: [900, 900],
  stop: [700, 700],
  pullBackOff: 12_000,
  pullRetry: 20_000,
  crashBackOff: 2_000,
};

/** For tests: about three times as fast, and even. */
export const fastDelays: KubeletDelays = {
  create: [50, 50],
  start: [300, 310],
  stop: [230, 230],
  pullBackOff: 2000,
  pullRetry: 60_000,
  crashBackOff: 600,
};

export const draw = ([from, to]: [number, number]): number => from + Math.random() * (to - from);
